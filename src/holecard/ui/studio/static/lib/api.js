// Questions to the server. The token is in a cookie that scripts cannot read; the tab has a name of its own, so that a
// newer question of the same tab supersedes an older one, here and there.

const TAB = Array.from(crypto.getRandomValues(new Uint8Array(9)), (each) => each.toString(16).padStart(2, "0")).join("");
const asked = new Map();
const NEVER = new Promise(() => {});

export class Refusal extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

function send(path, body, signal) {
  return fetch(`/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-studio-tab": TAB },
    body: JSON.stringify(body),
    credentials: "same-origin",
    signal,
  });
}

async function refused(response) {
  let message = `the studio answered ${response.status}`;
  try { message = (await response.json()).error || message; } catch { /* not JSON: keep the line */ }
  return new Refusal(message, response.status);
}

async function answered(path, body, slot) {
  asked.get(slot)?.abort();
  const mine = new AbortController();
  asked.set(slot, mine);
  try {
    const response = await send(path, body, mine.signal);
    if (response.ok) return response;
    if (response.status === 409) return NEVER;
    throw await refused(response);
  } catch (problem) {
    if (problem.name === "AbortError") return NEVER;
    if (problem instanceof TypeError) throw new Refusal("the studio does not answer; is `holecard studio` still running?", 0);
    throw problem;
  }
}

/** The answer to a question. An older question of the same slot (the path, if none is named) is dropped: its promise
 * never settles. A refusal is thrown with the server's own line. */
export async function ask(path, body = {}, { slot = path } = {}) {
  const response = await answered(path, body, slot);
  try {
    const answer = await response.json();
    return asked.get(slot)?.signal.aborted ? NEVER : answer;
  } catch (problem) {
    if (problem.name === "AbortError") return NEVER;
    throw problem;
  }
}

/** Drop the question of a slot, if one is open. */
export function drop(slot) {
  asked.get(slot)?.abort();
}

/** Save a file that the server makes. */
export async function download(path, body) {
  const response = await answered(path, body, `download ${path}`);
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") || "")?.[1] || "holecard";
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The address of a picture that the server sends; whoever shows it revokes it. */
export async function picture(path, body) {
  const response = await answered(path, body, path);
  return URL.createObjectURL(await response.blob());
}

/** Events of a stream, each given to onEvent; returns what stops it. onEnd is told why it ended: null or a Refusal. */
export function listen(path, body, onEvent, onEnd = () => {}) {
  const stop = new AbortController();
  (async () => {
    try {
      const response = await send(path, body, stop.signal);
      if (!response.ok) throw await refused(response);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let waiting = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const blocks = (waiting + value).split("\n\n");
        waiting = blocks.pop();
        for (const block of blocks) tell(block, onEvent);
      }
      onEnd(null);
    } catch (problem) {
      if (problem.name !== "AbortError") onEnd(problem);
    }
  })();
  return () => stop.abort();
}

function tell(block, onEvent) {
  const line = block.split("\n").find((each) => each.startsWith("data: "));
  if (!line) return;
  const event = JSON.parse(line.slice(6));
  if (block.startsWith("event: problem")) throw new Refusal(event.error, 422);
  onEvent(event);
}

// Curves with uPlot, which is loaded when the first one is drawn. Colours follow the theme.

let loading = null;
const WHOLE = [1, 2, 5].flatMap((each) => [0, 1, 2, 3, 4, 5, 6].map((power) => each * 10 ** power)).sort((a, b) => a - b);

function load() {
  loading ||= new Promise((resolve, reject) => {
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/static/vendor/uplot/uPlot.min.css" });
    const script = Object.assign(document.createElement("script"), { src: "/static/vendor/uplot/uPlot.iife.min.js" });
    script.onload = () => resolve(globalThis.uPlot);
    script.onerror = () => reject(new Error("the curves could not be loaded"));
    document.head.append(style, script);
  });
  return loading;
}

const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A plot in an element; `whole` for an x axis of whole numbers. `series` are {label, values, colour: "--curve-1", dashed}; returns {update(xs, series), close()}. */
export async function plot(place, { xs, series, height = 260, xLabel = "", yLabel = "", whole = false }) {
  const Plot = await load();
  const axis = (label) => ({ stroke: ink("--muted"), grid: { stroke: ink("--line"), width: 1 }, ticks: { stroke: ink("--line") }, label, labelSize: 18, size: 56 });
  const make = () => new Plot({
    width: Math.max(200, place.clientWidth),
    height,
    scales: { x: { time: false } },
    axes: [{ ...axis(xLabel), size: 40, incrs: whole ? WHOLE : undefined }, axis(yLabel)],
    series: [{ label: xLabel }, ...series.map((each) => ({
      label: each.label, stroke: ink(each.colour), width: 2, dash: each.dashed ? [6, 4] : undefined, points: { show: false },
    }))],
  }, [xs, ...series.map((each) => each.values)], place);
  let drawn = make();
  const again = () => { drawn.destroy(); drawn = make(); };
  const watcher = new ResizeObserver(() => drawn.setSize({ width: Math.max(200, place.clientWidth), height }));
  watcher.observe(place);
  addEventListener("themechange", again);
  return {
    update(newXs, values) {
      xs = newXs;
      series.forEach((each, at) => { each.values = values[at]; });
      drawn.setData([xs, ...values]);
    },
    close() {
      watcher.disconnect();
      removeEventListener("themechange", again);
      drawn.destroy();
    },
  };
}

// Drawing: axes, distributions, scatters. Lengths in pixels.

// Steps of 1, 2 or 5 times a power of ten, about `count` of them.
function ticks(low, high, count) {
  const rough = (high - low) / count || 1;
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough) * power;
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; ++k)
    out.push(k * step);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return out.map((value) => ({value, label: value.toFixed(decimals)}));
}

// Powers of ten, and 2 and 5 times them where there are few.
function logTicks(low, high) {
  const out = [];
  const few = Math.log10(high / low) < 2;
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power) {
    for (const factor of few ? [1, 2, 5] : [1]) {
      const value = factor * Math.pow(10, power);
      if (value >= low * 0.999 && value <= high * 1.001)
        out.push({value, label: secondsText(value)});
    }
  }
  return out;
}

function widened(low, high, share) {
  const room = (high - low) * share || Math.abs(high) * 0.01 || 1;
  return [low - room, high + room];
}

// A loop, as there may be more values than a function takes arguments.
function extremes(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

const linear = (low, high, from, to) => (value) =>
    from + (value - low) / (high - low) * (to - from);

function secondsText(seconds) {
  if (seconds >= 7200) return (seconds / 3600).toPrecision(2) + " h";
  if (seconds >= 120) return Math.round(seconds / 60) + " min";
  if (seconds >= 1) return Number(seconds.toPrecision(2)) + " s";
  if (seconds >= 0.001) return Number((seconds * 1e3).toPrecision(2)) + " ms";
  return Number((seconds * 1e6).toPrecision(2)) + " µs";
}

function xAxis(marks, x, top, bottom) {
  return marks.map(
      ({value, label}) => s(
          "g", null, s("line", {class: "rule", x1: x(value), x2: x(value), y1: top, y2: bottom}),
          s("text", {class: "tick", x: x(value), y: bottom + 14, "text-anchor": "middle"}, label)));
}

function yAxis(marks, y, left, right) {
  return marks.map(
      ({value, label}) =>
          s("g", null, s("line", {class: "rule", x1: left, x2: right, y1: y(value), y2: y(value)}),
            s("text", {class: "tick", x: left - 6, y: y(value) + 4, "text-anchor": "end"}, label)));
}

const diamond = (x, y) => s("path", {class: "published", d: `M${x},${y - 6} l5,6 l-5,6 l-5,-6 z`});

// Bars over bins, a box below them; a diamond is the published mean.
function histogram(values, box, mean, published, words) {
  const width = 460, left = 12, right = width - 12, top = 8, bottom = 118;
  const all = published === null ? values : values.concat(published);
  const [low, high] = widened(...extremes(all), 0.03);
  const x = linear(low, high, left, right);
  const bins = Math.min(40, Math.max(8, Math.ceil(Math.sqrt(values.length) * 1.5)));
  const counts = new Array(bins).fill(0);
  for (const value of values)
    counts[Math.min(bins - 1, Math.floor((value - low) / (high - low) * bins))] += 1;
  const most = Math.max(...counts), wide = (right - left) / bins;
  const bars = counts.map(
      (count, i) => count === 0 ? null :
                                  s("rect", {
                                    class: "column",
                                    x: left + i * wide + 0.5,
                                    y: bottom - 32 - count / most * (bottom - 40 - top),
                                    width: Math.max(1, wide - 1),
                                    height: count / most * (bottom - 40 - top)
                                  },
                                    s("title", null, `${count} of ${values.length}`)));
  const y = bottom - 15;
  return s(
      "svg", {viewBox: `0 0 ${width} ${bottom + 20}`, role: "img", "aria-label": words},
      xAxis(ticks(low, high, 6), x, top, bottom), bars,
      box &&
          s("g", {class: "box"}, s("line", {x1: x(box[0]), x2: x(box[4]), y1: y, y2: y}),
            s("rect",
              {x: x(box[1]), width: Math.max(1, x(box[3]) - x(box[1])), y: y - 7, height: 14}),
            s("line", {class: "median", x1: x(box[2]), x2: x(box[2]), y1: y - 7, y2: y + 7})),
      mean !== null &&
          s("line", {class: "mean", x1: x(mean), x2: x(mean), y1: top, y2: bottom},
            s("title", null, "mean")),
      published !== null && diamond(x(published), y));
}

// What the axes measure, in words beside them.
function axisWords(xWords, yWords, {left, right, top, bottom}, height) {
  const x = (left + right) / 2, y = (top + bottom) / 2;
  return [
    s("text", {class: "axis", x, y: height - 8, "text-anchor": "middle"}, xWords),
    s("text", {class: "axis", x: 12, y, "text-anchor": "middle", transform: `rotate(-90 12 ${y})`},
      yWords)
  ];
}

// Points [x, y, words], equal scales, and the line on which both are equal.
function paired(points, xWords, yWords) {
  const width = 460, height = 400, left = 52, right = width - 12, top = 10, bottom = height - 44;
  const [low, high] = widened(...extremes(points.flatMap(([a, b]) => [a, b])), 0.06);
  const x = linear(low, high, left, right), y = linear(low, high, bottom, top);
  return s(
      "svg",
      {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${yWords} against ${xWords}`},
      xAxis(ticks(low, high, 5), x, top, bottom), yAxis(ticks(low, high, 5), y, left, right),
      s("line", {class: "equal", x1: x(low), y1: y(low), x2: x(high), y2: y(high)}),
      points.map(
          ([a, b, words]) =>
              s("circle", {class: "dot", cx: x(a), cy: y(b), r: 3.5}, s("title", null, words))),
      axisWords(xWords, yWords, {left, right, top, bottom}, height));
}

// Names beside points, where they cover no other name or point; else they are left to the pointer.
function labels(points, right) {
  const taken = points.map(({x, y}) => [x - 5, y - 5, x + 5, y + 5]);
  const free = (box) =>
      taken.every(([a, b, c, d]) => box[2] <= a || c <= box[0] || box[3] <= b || d <= box[1]);
  return points.map(({x, y, name}) => {
    const wide = name.length * 7, high = 13;
    // To the right, to the left, above, below, and a little further off.
    const places = [0, 14, 28].flatMap(
        (off) => [
            [x + 8, y + 4 - off, "start"], [x + 8, y + 4 + off, "start"],
            [x - 8, y + 4 - off, "end"], [x - 8, y + 4 + off, "end"], [x, y - 9 - off, "middle"],
            [x, y + 18 + off, "middle"]]);
    for (const [tx, ty, anchor] of places) {
      const from = anchor === "start" ? tx : anchor === "end" ? tx - wide : tx - wide / 2;
      const box = [from, ty - 10, from + wide, ty - 10 + high];
      if (box[0] < 0 || box[2] > right || box[1] < 0 || !free(box)) continue;
      taken.push(box);
      return s("text", {class: "name", x: tx, y: ty, "text-anchor": anchor}, name);
    }
    return null;
  });
}

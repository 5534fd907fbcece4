// Elements. Text from the data becomes text nodes and attribute values, never markup.

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on"))
      element.addEventListener(name.slice(2), value);
    else
      element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === "" || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

// h("td", {class: "n"}, "12", ...): an element of HTML.
function h(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

// The same of SVG.
function s(name, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function replace(element, ...children) {
  element.replaceChildren();
  return fill(element, null, children);
}

function select(label, value, options, onchange) {
  const box =
      h("select", {"aria-label": label, onchange: () => onchange(box.value)},
        options.map(
            ([key, words]) =>
                h("option", {value: key, selected: String(key) === String(value)}, words)));
  return h("label", {class: "field"}, h("span", null, label), box);
}

function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], {type: type}));
  const link = h("a", {download: name});
  link.href = address;
  link.click();
  URL.revokeObjectURL(address);
}

function copyButton(text) {
  const button =
      h("button", {
        type: "button",
        class: "quiet",
        onclick: () => {
          const done = () => {
            button.textContent = "copied";
          };
          // Pages opened from disk may have no clipboard; the selection then has the text.
          if (navigator.clipboard)
            navigator.clipboard.writeText(text).then(done, () => {});
          else
            button.textContent = "select it by hand";
        }
      },
        "copy");
  return button;
}

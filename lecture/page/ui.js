/*
 * ui.js: the small tools of the page: elements, numbers, colours.
 *
 *     ui.make("p", { class: "note" }, "text", node)   an HTML element; "on..." are listeners
 *     ui.draw("circle", { r: 3 })                     an SVG element
 *     ui.fill(box, nodes...)                          in place of what the box has; keeps the focus
 *     ui.number(12345)                                "12 345", as it stands in a text
 *     ui.value(-7.5)                                  a value, short enough for a cell
 *     ui.plural(2, "lane")                            "2 lanes"
 *     ui.lanes(mask)                                  how many bits a mask has
 *     ui.range(mask)                                  "lanes 0 to 15", "lane 3", "lanes 0, 4, 8"
 *     ui.most([1, 2])                                 the largest; 0 where there is none
 *     ui.em()                                         the size of the type, in pixels
 *     ui.colour("--running")                          a colour of the style sheet, for a canvas
 */
"use strict";

const ui = (() => {
    /* Children that are there: "" and null stand for none. */
    const there = (nodes) => nodes.flat(Infinity).filter((n) => (n ?? "") !== "");

    function add(element, attributes, children) {
        for (const [name, value] of Object.entries(attributes || {})) {
            if (name.startsWith("on"))
                element.addEventListener(name.slice(2), value);
            else if (value === true)
                element.setAttribute(name, "");
            else if (value !== false && value !== null && value !== undefined)
                element.setAttribute(name, value);
        }
        element.append(...there(children));
        return element;
    }

    function make(tag, attributes, ...children) {
        return add(document.createElement(tag), attributes, children);
    }

    function draw(tag, attributes, ...children) {
        return add(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes,
                   children);
    }

    function fill(box, ...nodes) {
        const focused = box.contains(document.activeElement) ? document.activeElement.id : "";
        box.replaceChildren(...there(nodes));
        if (focused)
            document.getElementById(focused)?.focus();
    }

    function number(value) {
        const [whole, part] = String(value).split(".");
        return whole.replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f") + (part ? `.${part}` : "");
    }

    function value(v) {
        if (v === null || v === undefined)
            return "";
        if (Array.isArray(v))
            return `${v[0]}x+${v[1]}`;
        if (typeof v === "string")
            return v.length > 8 ? `…${v.slice(-5)}` : v;
        if (Number.isInteger(v))
            return Math.abs(v) < 1e7 ? String(v) : v.toExponential(1).replace("e+", "e");
        return String(Number(v.toPrecision(4)));
    }

    const plural = (count, word) => `${number(count)} ${word}${count === 1 ? "" : "s"}`;

    function lanes(mask) {
        let count = 0;
        for (let rest = mask >>> 0; rest; rest >>>= 1)
            count += rest & 1;
        return count;
    }

    function range(mask) {
        const all = [];
        for (let lane = 0; lane < 32; lane++)
            if (mask >>> lane & 1)
                all.push(lane);
        if (all.length === 0)
            return "no lane";
        if (all.length === 1)
            return `lane ${all[0]}`;
        if (all[all.length - 1] - all[0] === all.length - 1)
            return `lanes ${all[0]} to ${all[all.length - 1]}`;
        return all.length > 6 ? `${all.length} lanes, ${all.slice(0, 4).join(", ")} ...`
                              : `lanes ${all.join(", ")}`;
    }

    const most = (values) => values.reduce((a, b) => Math.max(a, b), 0);
    const em = () => parseFloat(getComputedStyle(document.documentElement).fontSize);
    const colour = (name) => getComputedStyle(document.body).getPropertyValue(name).trim();

    return { make, draw, fill, number, value, plural, lanes, range, most, em, colour };
})();

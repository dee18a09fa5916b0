/*
 * source.js: the program's text, with the line of the step marked.
 *
 *     source.load(files, before)   files: [{ file, text }]; before: those of the solution, or null:
 *                                  lines that differ from it are marked, those it had are shown
 *     source.mark(model)           the line of the model's state, and where its block's other
 *                                  warps are
 *     source.show_start(kernel)    before the first step: the line that differs, or the kernel
 *     source.cost(run, field)      a number beside each line, from run.lines; "": none
 *     source.go_to(file, line)     shows a line, without a step
 *     source.changes()             how many lines differ
 *
 * Lines are found by file and number: element "line-FILE-NUMBER".
 */
"use strict";

const source = (() => {
    const TOKEN = new RegExp([
        "(\\/\\*[^]*?\\*\\/|\\/\\/[^\\n]*)",
        "(\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*')",
        "(^[ \\t]*#[^\\n]*)",
        "\\b(__global__|__device__|__shared__|__syncthreads|__syncwarp|__threadfence(?:_block)?|" +
            "__\\w+_sync|atomic\\w+|threadIdx|blockIdx|blockDim|gridDim|__forceinline__|" +
            "volatile)\\b",
        "\\b(if|else|for|while|do|return|break|continue|switch|case|static|const|void|int|" +
            "unsigned|float|double|char|long|short|bool|enum|struct|typedef|template|typename|" +
            "class|sizeof|auto|goto|default)\\b",
        "(->)", /* or a browser breaks a line within it */
    ].join("|"), "gm");
    const CLASSES = ["comment", "string", "directive", "cuda", "keyword", "arrow"];
    const panel = () => document.getElementById("source");
    let changed = 0, marked = [], seen = "";

    /* Lists of nodes, one a line. */
    function highlight(text) {
        const lines = [[]];
        const put = (piece, name) => piece.split("\n").forEach((part, k) => {
            if (k)
                lines.push([]);
            if (part)
                lines[lines.length - 1].push(name ? ui.make("span", { class: name }, part) : part);
        });
        let at = 0;
        for (const match of text.matchAll(TOKEN)) {
            put(text.slice(at, match.index), "");
            put(match[0], CLASSES[match.slice(1).findIndex((g) => g !== undefined)]);
            at = match.index + match[0].length;
        }
        put(text.slice(at), "");
        return lines;
    }

    /* Of two lists of lines: [line of the new one or null, line of the old one or null]... */
    function align(before, after) {
        const rows = before.length + 1, columns = after.length + 1;
        const common = Array.from({ length: rows }, () => new Uint16Array(columns));
        for (let i = rows - 2; i >= 0; i--)
            for (let j = columns - 2; j >= 0; j--)
                common[i][j] = before[i] === after[j]
                    ? common[i + 1][j + 1] + 1
                    : Math.max(common[i + 1][j], common[i][j + 1]);
        const pairs = [];
        let i = 0, j = 0;
        while (i < before.length || j < after.length) {
            if (i < before.length && j < after.length && before[i] === after[j])
                pairs.push([j++, i++]);
            else if (i < before.length &&
                     (j === after.length || common[i + 1][j] >= common[i][j + 1]))
                pairs.push([null, i++]);
            else
                pairs.push([j++, null]);
        }
        return pairs;
    }

    /* What does not fit on a line goes on below its own indentation. */
    const indented = (text) => `--indent: ${Math.min(/^ */.exec(text)[0].length, 24) + 2}ch`;

    function list_of(file, before) {
        const texts = highlight(file.text.replace(/\n$/, ""));
        const now = file.text.replace(/\n$/, "").split("\n");
        const then = before ? before.text.replace(/\n$/, "").split("\n") : now;
        const list = ui.make("ol", { class: "code" });

        for (const [line, old] of align(then, now)) {
            if (line === null) {
                if (then[old].trim())
                    list.append(ui.make("li", { class: "removed", style: indented(then[old]) },
                                        ui.make("span", { class: "word" }, "removed: "),
                                        ui.make("code", null, then[old])));
                changed++;
                continue;
            }
            const fresh = old === null;
            changed += fresh;
            const number = line + 1;
            list.append(ui.make("li", { id: `line-${file.file}-${number}`,
                                        class: fresh ? "changed" : null,
                                        style: indented(now[line]) },
                ui.make("span", { class: "number" }, String(number)),
                ui.make("span", { class: "cost" }),
                ui.make("code", null, fresh ? ui.make("span", { class: "word" }, "changed: ") : "",
                        texts[line]),
                ui.make("span", { class: "warps" })));
        }
        return list;
    }

    function load(files, before) {
        changed = 0;
        marked = [];
        seen = "";
        ui.fill(panel(), files.map((file) => {
            const old = before && before.find((b) => b.file === file.file);
            return [ui.make("h2", null, file.file), list_of(file, old || null)];
        }));
    }

    function scroll_to(line) {
        const box = panel();
        const top = line.offsetTop - box.offsetTop - box.clientTop, height = box.clientHeight;
        const at = top - box.scrollTop;
        if (at < 0.25 * height || at > 0.7 * height)
            box.scrollTop = top - 0.4 * height;
    }

    const line_of = (file, line) => document.getElementById(`line-${file}-${line}`);

    function go_to(file, line) {
        const element = line_of(file, line);
        if (element)
            scroll_to(element);
    }

    function show_start(kernel) {
        const lines = [...panel().querySelectorAll("li")];
        const first = lines.find((l) => l.matches(".changed, .removed")) ||
            lines.find((l) => new RegExp(`\\b${kernel}\\(`).test(l.textContent) &&
                              !/^\s*(\/|\*)/.test(l.querySelector("code").textContent));
        if (first)
            scroll_to(first);
    }

    function mark(model) {
        const { state } = model;

        for (const element of marked) {
            element.classList.remove("here", "other", "found");
            element.removeAttribute("aria-current");
            element.querySelector(".warps").textContent = "";
        }
        marked = [];
        const touch = (file, line, name) => {
            const element = line_of(file, line);
            if (element) {
                element.classList.add(name);
                marked.push(element);
            }
            return element;
        };
        const here = touch(state.file, state.line, "here");
        if (here) {
            here.setAttribute("aria-current", "step");
            scroll_to(here);
        }
        const at = new Map();
        for (const warp of state.warps.filter((w) => w.line && w.state !== "done")) {
            const key = `${warp.file}\n${warp.line}`;
            at.set(key, [...(at.get(key) || []), warp.warp]);
        }
        for (const [key, warps] of at) {
            const [file, line] = key.split("\n");
            const element = touch(file, line, "other");
            if (element && state.warps.length > 1)
                element.querySelector(".warps").textContent =
                    warps.length > 4 ? `${warps.length} warps` : `warp ${warps.join(", ")}`;
        }
        if (model.revealed)
            for (const k of state.findings) {
                const finding = model.run.findings[k];
                touch(finding.file, finding.line, "found");
                if (finding.other)
                    touch(finding.other.file, finding.other.line, "found");
            }
    }

    function cost(run, field) {
        const box = panel();
        if (seen === field)
            return;
        seen = field;
        box.classList.toggle("with_cost", field !== "");
        for (const element of box.querySelectorAll(".cost"))
            element.textContent = "";
        const most = ui.most(run.lines.map((l) => l[field] || 0)) || 1;
        for (const line of run.lines) {
            const element = line_of(line.file, line.line)?.querySelector(".cost");
            if (element && field && line[field]) {
                element.textContent = ui.number(line[field]);
                element.style.setProperty("--share", `${100 * line[field] / most}%`);
            }
        }
    }

    return { load, mark, show_start, cost, go_to, changes: () => changed };
})();

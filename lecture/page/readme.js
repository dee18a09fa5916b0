/*
 * readme.js: what the page takes from the lab's README: sections that begin with a bold word.
 *
 *     readme.section(text, "Think about")     its nodes, [] where there is none
 *     readme.questions(text)                  the points of "Think about", a node each
 *
 * It knows the Markdown of the labs: paragraphs, lists, indented code, code, emphasis, links. A
 * link stays a text: the page has to work alone. One that stands alone in brackets goes.
 */
"use strict";

const readme = (() => {
    /* The lines from **NAME** on, up to the next bold word at the start of a line. */
    function lines_of(text, name) {
        const all = text.replace(/<!--[^]*?-->/g, "").split("\n");
        const begin = all.findIndex((l) => l.startsWith(`**${name}`));
        if (begin < 0)
            return [];
        let end = begin + 1;
        while (end < all.length && !/^\*\*[A-Z]|^#/.test(all[end]))
            end++;
        const rest = all[begin].replace(/^\*\*[^*]*\*\* */, "");
        return [rest, ...all.slice(begin + 1, end)];
    }

    function inline(text) {
        const plain = text.replace(/ *\(\[[^\]]*\]\([^)]*\)\.?\)/g, "")
            .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
        const parts = plain.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/);
        return parts.filter((p) => p).map((p) => {
            if (p[0] === "`" && p.length > 1)
                return ui.make("code", null, p.slice(1, -1));
            if (p.startsWith("**") && p.length > 4)
                return ui.make("strong", null, p.slice(2, -2));
            if (p[0] === "*" && p.length > 2)
                return ui.make("em", null, inline(p.slice(1, -1)));
            return p;
        });
    }

    /* [kind, text] of each block: "code", "-" and "1" (a point of a list), "p". */
    function blocks_of(lines) {
        const blocks = [];
        let open = null;

        for (const line of lines) {
            const point = /^(-|\d+\.) +(.*)/.exec(line);
            if (/^ {4}/.test(line) && (!open || open[0] === "code")) {
                if (!open)
                    blocks.push(open = ["code", line.slice(4)]);
                else
                    open[1] += `\n${line.slice(4)}`;
            } else if (point) {
                blocks.push(open = [point[1] === "-" ? "-" : "1", point[2]]);
            } else if (!line.trim() || line.startsWith("|")) {
                open = null;
            } else if (open) {
                open[1] += ` ${line.trim()}`;
            } else {
                blocks.push(open = ["p", line.trim()]);
            }
        }
        return blocks;
    }

    function nodes_of(blocks) {
        const nodes = [];
        let list = null, kind = "";

        for (const [what, text] of blocks) {
            if (what === "code")
                nodes.push(ui.make("pre", { tabindex: 0 }, text));
            else if (what === "p")
                nodes.push(ui.make("p", null, inline(text)));
            else if (list && kind === what)
                list.append(ui.make("li", null, inline(text)));
            else
                nodes.push(list = ui.make(what === "-" ? "ul" : "ol", null,
                                          ui.make("li", null, inline(text))));
            kind = what;
        }
        return nodes;
    }

    const section = (text, name) => nodes_of(blocks_of(lines_of(text, name)));

    const questions = (text) => blocks_of(lines_of(text, "Think about"))
        .filter(([what]) => what === "1").map(([, point]) => ui.make("span", null, inline(point)));

    return { section, questions };
})();

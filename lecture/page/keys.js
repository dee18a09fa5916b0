/*
 * keys.js: the keyboard, and the page of help that ? shows.
 *
 *     keys.listen(actions)     actions: { name: function }, with the names of KEYS below
 *
 * Keys are left alone where one types or chooses: in fields, lists, and with Ctrl, Alt or Meta. The
 * keys of a presenter's remote (Page Down, Page Up) step by line.
 */
"use strict";

const keys = (() => {
    /* [keys, action, what it does]; shown in this order */
    const KEYS = [
        [["ArrowRight"], "next", "a step forward"],
        [["ArrowLeft"], "back", "a step back"],
        [["ArrowDown", "PageDown"], "next_line", "to the next source line"],
        [["ArrowUp", "PageUp"], "back_line", "to the line before"],
        [["b"], "next_barrier", "to the next barrier"],
        [["B"], "back_barrier", "to the barrier before"],
        [["n"], "next_finding", "to the next finding"],
        [["N"], "back_finding", "to the finding before"],
        [["Home"], "first", "to the start"],
        [["End"], "last", "to the end"],
        [[" "], "play", "play, pause"],
        [["f"], "follow", "stay with this warp"],
        [["r"], "reveal", "show what happens"],
        [["1", "2", "3", "4", "5", "6", "7"], "view", "views, from left to right"],
        [["]"], "next_program", "the next program"],
        [["["], "back_program", "the program before"],
        [["+", "="], "larger", "larger type"],
        [["-"], "smaller", "smaller type"],
        [["d"], "dark", "dark, light"],
        [["i"], "index", "all labs"],
        [["?"], "help", "this help"],
    ];
    const NAMES = { ArrowRight: "→", ArrowLeft: "←", ArrowDown: "↓", ArrowUp: "↑",
                    " ": "Space", PageDown: "Page Down", PageUp: "Page Up" };

    function is_typing(target, key) {
        if (target.closest("dialog[open]"))
            return key !== "?";
        if (target.matches("button, summary, a"))
            return key === " ";
        return target.matches("select, textarea, input:not([type=checkbox], [type=range])");
    }

    function listen(actions) {
        let mouse = false;
        document.addEventListener("pointerdown", () => { mouse = true; }, true);
        document.addEventListener("keydown", () => { mouse = false; }, true);
        document.addEventListener("change", (event) => {
            if (mouse && event.target.matches("select")) /* what was chosen is chosen: step on */
                event.target.blur();
        });
        document.addEventListener("keydown", (event) => {
            const { target, key, ctrlKey, altKey, metaKey } = event;
            if (ctrlKey || altKey || metaKey || is_typing(target, key))
                return;
            const row = KEYS.find(([names]) => names.includes(event.key));
            if (!row)
                return;
            event.preventDefault();
            actions[row[1]](event.key);
        });
    }

    function help() {
        return KEYS.map(([names, , words]) => {
            const shown = names.length > 2 ? [names[0], names[names.length - 1]] : names;
            return ui.make("div", null,
                ui.make("dt", null, shown.map((n, k) => [
                    k ? names.length > 2 ? " to " : " " : "",
                    ui.make("kbd", null, NAMES[n] || n)])),
                ui.make("dd", null, words));
        });
    }

    return { listen, help };
})();

/*
 * engine.js: the engine (facade.h, in WebAssembly) for a page, and for node. README.md has the
 * answers in full.
 *
 *     const engine = await lecture.open(bytes);
 *     engine.load(recording); engine.set("resident=2"); engine.run(); engine.state(17);
 */
"use strict";

const lecture = (() => {
    const WHAT = ["instruction", "line", "barrier", "finding"];

    /* Gzipped bytes in base64 -> Uint8Array. */
    async function unzip(base64) {
        const zipped = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
        return new Uint8Array(await new Response(stream).arrayBuffer());
    }

    /* The engine asks its system for nothing that it needs: every call fails. */
    function system(module) {
        const imports = {};
        for (const { module: from, name } of WebAssembly.Module.imports(module)) {
            imports[from] = imports[from] || {};
            imports[from][name] = name === "proc_exit"
                ? () => { throw new Error("the engine has ended itself"); }
                : () => 52; /* ENOSYS */
        }
        return imports;
    }

    async function open(bytes) {
        const module = await WebAssembly.compile(bytes);
        const { exports: c } = await WebAssembly.instantiate(module, system(module));
        c._initialize();

        function text(at) {
            const all = new Uint8Array(c.memory.buffer);
            return new TextDecoder().decode(all.subarray(at, all.indexOf(0, at)));
        }

        /* Calls a function of the facade; an engine that was stopped within it says why. */
        function ask(call) {
            let answer;
            try {
                answer = JSON.parse(text(call()));
            } catch (stopped) {
                const error = new Error(text(c.lecture_last_words()) || String(stopped));
                error.fatal = true;
                throw error;
            }
            if (answer.error)
                throw new Error(answer.error);
            return answer;
        }

        function give(argument) {
            const bytes = typeof argument === "string" ? new TextEncoder().encode(argument) : argument;
            const to = c.lecture_room(bytes.length);
            if (!to)
                throw new Error("there is not enough memory for the recording");
            new Uint8Array(c.memory.buffer).set(bytes, to);
            return bytes.length;
        }

        return {
            load(recording) { const n = give(recording); return ask(() => c.lecture_load(n)); },
            set(words) { const n = give(words); return ask(() => c.lecture_set(n)); },
            run() { return ask(() => c.lecture_run()); },
            steps(from, count) { return ask(() => c.lecture_steps(from, count)); },
            state(step) { return ask(() => c.lecture_state(step)); },
            states(steps) {
                const n = give(steps.join(" "));
                return ask(() => c.lecture_states(n)).states;
            },
            network() { return ask(() => c.lecture_network()); },
            find(from, direction, what, block = -1, warp = -1) {
                return ask(() => c.lecture_find(from, direction, WHAT.indexOf(what), block, warp)).step;
            },
        };
    }

    return { open, unzip };
})();

if (typeof module !== "undefined")
    module.exports = lecture;

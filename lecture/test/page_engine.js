/*
 * page_engine.js: the engine of a page, asked in node as native.c asks the native one:
 *
 *   node page_engine.js ENGINE.wasm RECORDING REQUEST...
 *
 * Prints the answer to each request, a line each; --time: how long each took, in milliseconds.
 */
"use strict";

const fs = require("fs");
const lecture = require("../engine.js");

async function main([wasm, recording, ...requests]) {
    const engine = await lecture.open(fs.readFileSync(wasm));
    const program = engine.load(fs.readFileSync(recording));
    const timed = requests[0] === "--time";
    const next = () => requests.shift();
    const what = ["instruction", "line", "barrier", "finding"];
    const calls = {
        load: () => program,
        run: () => engine.run(),
        network: () => engine.network(),
        steps: () => engine.steps(+next(), +next()),
        state: () => engine.state(+next()),
        set: () => engine.set(next()),
        find: () => ({ step: engine.find(+next(), +next(), what[+next()], +next(), +next()) }),
    };

    if (timed)
        next();
    while (requests.length) {
        const name = next(), begin = performance.now();
        const answer = calls[name]();
        console.log(timed ? `${name} ${(performance.now() - begin).toFixed(1)}` : JSON.stringify(answer));
    }
}

main(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exit(1);
});

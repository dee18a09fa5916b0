/* page.js: the page of a lab. For now it runs each program and shows what it found. */
"use strict";

async function main() {
    const read = (id) => document.getElementById(id).textContent;
    const lab = JSON.parse(read("lab")), page = document.getElementById("page");
    const engine = await lecture.open(await lecture.unzip(read("engine")));

    for (const program of lab.programs) {
        const loaded = engine.load(await lecture.unzip(program.recording)), run = engine.run();
        page.textContent += `${program.name} ${loaded.part} ${loaded.verdict}: ${run.steps} steps\n`;
        for (const finding of run.findings)
            page.textContent += `    ${finding.kind}: ${finding.message}\n`;
    }
}

main().catch((error) => { document.getElementById("page").textContent = error.message; });

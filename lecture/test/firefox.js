/*
 * firefox.js: a headless Firefox that a test drives, by Marionette, its remote protocol on a port
 * of this machine. The interface is browser.js's; FIREFOX names the program.
 */
"use strict";

const { spawn } = require("child_process");
const fs = require("fs");
const net = require("net");
const os = require("os");
const path = require("path");

const program = process.env.FIREFOX || "firefox-esr";
const WAIT = 120000; /* milliseconds for the browser to start, and for one answer */

const KEYS = { Escape: "\uE00C", Home: "\uE011", ArrowLeft: "\uE012", ArrowUp: "\uE013",
               ArrowRight: "\uE014", ArrowDown: "\uE015" };

/* Script errors of pages from files, which the page itself cannot see. */
const CONSOLE = `const seen = Services.console.getMessageArray().filter((m) =>
        m instanceof Ci.nsIScriptError && !(m.flags & Ci.nsIScriptError.warningFlag) &&
        m.sourceName.startsWith("file:")).map((m) => m.errorMessage);
    Services.console.reset();
    return seen;`;

async function port_of(home) {
    const file = path.join(home, "MarionetteActivePort");

    for (let waited = 0; waited < WAIT; waited += 100) {
        if (fs.existsSync(file) && fs.readFileSync(file, "utf8"))
            return Number(fs.readFileSync(file, "utf8"));
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error("Firefox does not start");
}

/* send(command, parameters) resolves to the answer. */
function talk(socket) {
    const waiting = new Map();
    let last = 0, data = Buffer.alloc(0);

    socket.on("data", (more) => {
        data = Buffer.concat([data, more]);
        for (let colon; (colon = data.indexOf(":")) > 0;) {
            const end = colon + 1 + Number(data.subarray(0, colon));
            if (data.length < end)
                return;
            const message = JSON.parse(data.subarray(colon + 1, end));
            data = data.subarray(end);
            if (Array.isArray(message)) /* not the greeting */
                waiting.get(message[1])(message);
        }
    });
    return (command, parameters = {}) => new Promise((resolve, reject) => {
        const id = ++last, timer = setTimeout(() => reject(new Error(`${command}: no answer`)), WAIT),
              text = JSON.stringify([0, id, command, parameters]);
        waiting.set(id, ([, , error, result]) => {
            waiting.delete(id);
            clearTimeout(timer);
            error ? reject(new Error(`${command}: ${error.message}`)) : resolve(result);
        });
        socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
}

async function start() {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), "lecture-"));
    fs.writeFileSync(path.join(home, "user.js"), 'user_pref("marionette.port", 0);\n');
    const child = spawn(program, ["--headless", "--no-remote", "--marionette", "-remote-allow-system-access",
        "--profile", home, "about:blank"],
        { stdio: "ignore", env: { ...process.env, MOZ_HEADLESS_WIDTH: "2400", MOZ_HEADLESS_HEIGHT: "1600" } });
    const socket = net.connect(await port_of(home), "127.0.0.1"), send = talk(socket);

    await send("WebDriver:NewSession", { capabilities: { alwaysMatch: { timeouts: { script: WAIT } } } });

    const script = (text, ...args) =>
        send("WebDriver:ExecuteScript", { script: text, args }).then(({ value }) => value);

    async function console_errors() {
        await send("Marionette:SetContext", { value: "chrome" });
        const seen = await script(CONSOLE);
        await send("Marionette:SetContext", { value: "content" });
        return seen;
    }

    async function open(url) {
        const { handle } = await send("WebDriver:NewWindow", { type: "tab" });
        const errors = [];

        await send("WebDriver:SwitchToWindow", { handle });
        await console_errors();
        await send("WebDriver:Navigate", { url });
        return {
            errors,
            /* by the page's own eval: it sees what the page's scripts have declared */
            async evaluate(expression) {
                const value = await script("return window.eval(arguments[0]);", expression);
                errors.push(...await console_errors());
                return value;
            },
            /* of what the page sees: the window has a frame */
            async size(width, height) {
                let [w, h] = [width, height];
                for (let k = 0; k < 3; k++) {
                    await send("WebDriver:SetWindowRect", { width: w, height: h });
                    const [iw, ih] = await script("return [innerWidth, innerHeight];");
                    [w, h] = [w + width - iw, h + height - ih];
                }
            },
            async screenshot(file) {
                const { value } = await send("WebDriver:TakeScreenshot", { full: false });
                fs.writeFileSync(file, Buffer.from(value, "base64"));
            },
            async key(key) {
                const value = KEYS[key] || key;
                await send("WebDriver:PerformActions", { actions: [{ type: "key", id: "keys",
                    actions: [{ type: "keyDown", value }, { type: "keyUp", value }] }] });
            },
            send: (method) => method === "Page.close" ? send("WebDriver:CloseWindow") : undefined,
        };
    }

    async function close() {
        const ended = new Promise((resolve) => child.on("exit", resolve));
        await send("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => child.kill());
        await ended;
        fs.rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }

    return { open, close };
}

module.exports = { start, program };

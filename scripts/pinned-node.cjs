// Runs a program of this repository under the Node.js that runs npm or, if that is too old, under one that this installs:
//
//     node scripts/pinned-node.cjs <file, or name of a package with a command> [arguments]
//
// Plain CommonJS that any Node since 14 can read.
const { delimiter, dirname } = require('path')
const { commandIn, isOlder, pinnedNode, replaceBy, tooOld } = require('../packages/rollcall/bin/pinned-node.cjs')

// Windows has it as `Path`.
const PATH = Object.keys(process.env).find((name) => /^path$/i.test(name)) || 'PATH'
const [program, ...rest] = process.argv.slice(2)
const node = isOlder(process.versions.node) ? pinnedNode()?.path : process.execPath
if (node === undefined) {
  process.stderr.write(tooOld())
  process.exit(1)
}
// Options of Node itself, such as `--watch`, come before a file, too.
const isFile = /\.\w+$/.test(program) || program.startsWith('-')
replaceBy(node, [isFile ? program : commandIn(program).path, ...rest], {
  // What it starts by the name of `node` is to be the same one.
  env: { ...process.env, [PATH]: [dirname(node), process.env[PATH]].join(delimiter) },
})

// Runs a program of this repository under the Node.js that `npm ci` has installed, whichever one runs npm:
//
//     node scripts/pinned-node.cjs <file, or name of a package with a command> [arguments]
//
// Some releases of npm 10 remove `node_modules/.bin/node` after they have made it: they tidy up after the packages for
// other platforms, which have a command of the same name. Plain CommonJS that any Node since 14 can read.
const { delimiter, dirname } = require('path')
const { commandIn, pinnedNode, replaceBy } = require('../packages/rollcall/bin/pinned-node.cjs')

// Windows has it as `Path`.
const PATH = Object.keys(process.env).find((name) => /^path$/i.test(name)) || 'PATH'
const [program, ...rest] = process.argv.slice(2)
const pinned = pinnedNode()
const node = pinned === undefined ? process.execPath : pinned.path
// Options of Node itself, such as `--watch`, come before a file, too.
const isFile = /\.\w+$/.test(program) || program.startsWith('-')
replaceBy(node, [isFile ? program : commandIn(program).path, ...rest], {
  // What it starts by the name of `node` is to be the same one.
  env: { ...process.env, [PATH]: [dirname(node), process.env[PATH]].join(delimiter) },
})

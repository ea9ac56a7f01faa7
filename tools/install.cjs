// Installs what few commands need when the first of them needs it: what the lockfile in a folder names, into that folder.
//
//     node tools/install.cjs tools/postgres
//
// Plain CommonJS that any Node since 14 can read.
const { spawnSync } = require('child_process')
const { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } = require('fs')
const { join, resolve } = require('path')

const ROOT = join(__dirname, '..')
const FILES = ['package.json', 'package-lock.json']
// No package runs a script: none is needed. What npm says must not be taken for the output of a command.
// What a tool expects beside it and its lockfile does not name is the repository's own: the runner of mutants and Vitest.
const OPTIONS = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error']

/** Where the packages are. What is there already stays, unless the lockfile has changed since. */
exports.install = (folder) => {
  const place = resolve(ROOT, folder)
  const modules = join(place, 'node_modules')
  const lockfile = readFileSync(join(place, 'package-lock.json'), 'utf8')
  const isInstalled = () => readIfThere(join(modules, '.installed')) === lockfile
  if (isInstalled()) return modules
  process.stderr.write(`Installing what ${folder} names; this is done once.\n`)
  // Elsewhere until it is complete: another process may need the same now, and this one may be killed.
  const other = mkdtempSync(join(place, '.install-'))
  try {
    for (const file of FILES) copyFileSync(join(place, file), join(other, file))
    runNpm(other)
    expectOfPlatform(other, JSON.parse(lockfile).packages)
    writeFileSync(join(other, 'node_modules/.installed'), lockfile)
    if (!isInstalled()) {
      rmSync(modules, { recursive: true, force: true })
      renameSync(join(other, 'node_modules'), modules)
    }
  } catch (error) {
    if (isInstalled()) return modules
    process.stderr.write(`error: what ${folder} names is not installed: ${error.message}\n`)
    throw error
  } finally {
    rmSync(other, { recursive: true, force: true })
  }
  return modules
}

const runNpm = (folder) => {
  // `npm test -w` says so to every npm that it starts, and there are no workspaces here.
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_config_.*workspace/i.test(name))
  const { status, error } = spawnSync('npm', ['ci', ...OPTIONS], {
    cwd: folder,
    env: Object.fromEntries(kept),
    stdio: ['ignore', 2, 2],
    // On Windows it is a script.
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`\`npm ci\` failed${error ? ` (${error.code})` : ''}.`)
}

// npm does not fail if what is optional cannot be fetched. Here it is optional because each platform has its own.
const expectOfPlatform = (folder, packages) => {
  for (const name of Object.keys(packages[''].optionalDependencies || {})) {
    const place = `node_modules/${name}`
    const { os = [process.platform], cpu = [process.arch] } = packages[place]
    const isForUs = [].concat(os).includes(process.platform) && [].concat(cpu).includes(process.arch)
    if (isForUs && !existsSync(join(folder, place))) throw new Error(`npm could not fetch ${name}.`)
  }
}

const readIfThere = (file) => {
  try {
    return readFileSync(file, 'utf8')
  } catch (_notThere) {
    return undefined
  }
}

if (require.main === module) {
  try {
    exports.install(process.argv[2])
  } catch (_said) {
    process.exitCode = 1
  }
}

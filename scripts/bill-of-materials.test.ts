import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { billOfMaterials, type Lockfile } from './bill-of-materials.ts'

const ROOT = path.join(import.meta.dirname, '..')
const LOCKFILE: Lockfile = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'))
const namesIn = (place: string): readonly string[] =>
  billOfMaterials(LOCKFILE, place).components.map(({ name }) => name)

it('has what the service needs, also if the repository has it for its development, and nothing of that alone', () => {
  const names = namesIn('packages/rollcall')
  expect(names).toEqual(expect.arrayContaining(['@rollcall/core', 'koa', 'nodemailer', 'pg', 'pg-protocol', 'valibot']))
  for (const tool of ['vitest', 'esbuild', 'typescript', '@biomejs/biome']) expect(names).not.toContain(tool)
  expect(namesIn('packages/core')).toEqual([])
})

it.each(readdirSync(path.join(ROOT, 'packages')))('leaves nothing open in %s', (name) => {
  const { metadata, components, dependencies } = billOfMaterials(LOCKFILE, `packages/${name}`)
  const known = [metadata.component, ...components].map((component) => component?.['bom-ref'])
  for (const { dependsOn } of dependencies) for (const one of dependsOn) expect(known).toContain(one)
  for (const { name: component, version, licenses } of components)
    expect([component, version === '', licenses === undefined]).toEqual([component, false, false])
})

it('finds the version that a package has for itself', () => {
  const lockfile: Lockfile = {
    packages: {
      'packages/a': { name: 'a', version: '1.0.0', dependencies: { b: '^2.0.0', c: '*', gone: '*' } },
      'node_modules/b': { version: '1.0.0' },
      'packages/a/node_modules/b': { version: '2.0.0', dependencies: { c: '*' } },
      'node_modules/c': { resolved: 'packages/c', link: true },
      'packages/c': { name: 'c', version: '1.0.0', dependencies: { b: '^1.0.0' } },
    },
  }
  const { components, dependencies } = billOfMaterials(lockfile, 'packages/a')
  expect(components.map(({ name, version }) => `${name} ${version}`)).toEqual(['b 2.0.0', 'c 1.0.0', 'b 1.0.0'])
  expect(dependencies[0]?.dependsOn).toEqual(['packages/a/node_modules/b', 'packages/c'])
})

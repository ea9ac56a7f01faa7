import { expect, it } from 'vitest'
import { importsOf } from './imports.ts'

const specifiers = (source: string) => importsOf('a.ts', source).map(({ specifier }) => specifier)

it.each([
  "import 'x'",
  "import a from 'x'",
  "import type { A } from 'x'",
  "import { type A } from 'x'",
  "import a from 'x' with { type: 'json' }",
  "export { a } from 'x'",
  "export type { A } from 'x'",
  "export * from 'x'",
  "export * as a from 'x'",
  "await import('x')",
  'await import(`x`)',
  "type A = import('x').A",
  "type A = typeof import('x')",
  "import a = require('x')",
  "export import a = require('x')",
  "declare module 'x' {}",
  "const a = require('x')",
  "require.resolve('x')",
  "import.meta.resolve('x')",
  "process.getBuiltinModule('x')",
  "globalThis.process?.['getBuiltinModule']('x')",
  '/// <reference types="x" />',
])('finds the import in %s', (source) => {
  expect(specifiers(source)).toEqual(['x'])
})

it.each([
  'import(name)',
  `import(\`\${name}\`)`,
  'require(name)',
  'const load = require',
  "createRequire(import.meta.url)('x')",
  'const { getBuiltinModule } = process',
  'const load = process.getBuiltinModule',
  'const find = import.meta.resolve',
  'import {',
])('cannot read what is imported by %s', (source) => {
  expect(specifiers(source)).toEqual([undefined])
})

it.each([
  'policy.require(caller)',
  'const a = { require: 1 }',
  'export const a = 1',
  'declare global {}',
  'Promise.resolve(1)',
  "// import 'x'",
])('finds none in %s', (source) => {
  expect(specifiers(source)).toEqual([])
})

it('reports the line', () => {
  expect(importsOf('a.ts', "\n\nimport 'x'")).toEqual([{ specifier: 'x', line: 3 }])
})

import type { Tree } from './tree.ts'

const core = { '@rollcall/core': '0.1.0' }
const leaf = { '@rollcall/platform-node': '0.1.0' }
const manifests = {
  'package.json': { devDependencies: { vitest: '1.0.0', autocannon: '1.0.0' } },
  'packages/core/package.json': { dependencies: {} },
  'packages/http-koa/package.json': { dependencies: { ...core, koa: '1.0.0' } },
  'packages/mail/package.json': { dependencies: { ...core, ...leaf, '@scope/mustache': '1.0.0' } },
  'packages/proof-of-work/package.json': { dependencies: core },
  'packages/platform-node/package.json': {},
  'packages/storage-sql/package.json': { dependencies: core, peerDependencies: { pg: '1.0.0' } },
  'packages/cli/package.json': { dependencies: { ...core, '@rollcall/client': '0.1.0' } },
  'packages/client/package.json': {},
  'packages/app/package.json': { dependencies: { ...core, ...leaf, '@rollcall/mail': '0.1.0', inversify: '1.0.0' } },
}

const sources = {
  'packages/mail/src/imports-a.ts': "import './a.ts'",
  'packages/mail/src/imports-imports-a.ts': "import type { A } from './imports-a.ts'",
}

/** A small house in good order, with the given files put into it. */
export function plant(files: Record<string, string>): Tree {
  const orderly = Object.entries(manifests).map(([path, manifest]) => [path, JSON.stringify(manifest)] as const)
  return new Map([...orderly, ...Object.entries(sources), ...Object.entries(files)])
}

/** What breaks a rule and what only looks like it: file -> sources, each planted by itself. */
interface Planted {
  rule: string
  bites: Record<string, string[]>
  spares: Record<string, string[]>
}

export const planted: Planted[] = [
  {
    rule: 'every import can be read from the source',
    bites: {
      'packages/cli/src/a.ts': ['await import(name)', "import('./' + name)", 'const load = require', 'import {'],
      'packages/core/src/a.test.ts': ["import { createRequire } from 'node:module'"],
    },
    spares: {
      'packages/cli/src/a.ts': ["await import('./b.ts')", 'import(`./b.ts`)', "this.#policy.require(caller, 'x')"],
      'packages/rollcall/bin/rollcall.cjs': ['import(built ? a : b)'],
    },
  },
  {
    rule: 'imports run one way: app, adapters, core',
    bites: {
      'packages/core/src/a.ts': ["import '@rollcall/mail'", "import type { M } from '../../mail/src/index.ts'"],
      'packages/mail/src/a.ts': ["import('@rollcall/app')", "type C = import('@rollcall/app').Config"],
      'packages/mail/test/a.ts': ["import '@rollcall/app'"],
      'packages/proof-of-work/src/a.ts': ["import '@rollcall/app'"],
      'packages/platform-node/src/a.ts': ["import '@rollcall/core'", "import '@rollcall/mail'"],
      'packages/platform-node/test/a.ts': ["import '@rollcall/core'"],
      'packages/client/src/a.ts': ["import '@rollcall/core'", "import '@rollcall/platform-node'"],
      'packages/client/generated/a.ts': ["import type { O } from '@rollcall/http-koa'"],
      'packages/http-koa/src/a.ts': ["import '@rollcall/client'"],
      'packages/core/test/a.ts': ["import '@rollcall/platform-node'"],
      'packages/stranger/src/a.ts': ["import '@rollcall/core'"],
    },
    spares: {
      'packages/mail/src/a.ts': ["import '@rollcall/core'\nimport '@rollcall/platform-node'", "import './b.ts'"],
      'packages/http-koa/src/a.test.ts': ["import '@rollcall/core/memory'\nimport '@rollcall/core/contract'"],
      'packages/app/src/a.ts': ["import '@rollcall/mail'\nimport '@rollcall/core'\nimport '@rollcall/platform-node'"],
      'packages/platform-node/src/a.ts': ["import 'node:fs'"],
      'packages/cli/src/a.ts': ["import '@rollcall/client'"],
    },
  },
  {
    rule: 'adapters never import one another',
    bites: {
      'packages/http-koa/src/a.ts': [
        "import type { S } from '@rollcall/storage-sql/sqlite'",
        "export * from '@rollcall/cli'",
      ],
      'packages/cli/src/a.test.ts': ["import '../../mail/src/index.ts'"],
      'packages/proof-of-work/src/a.ts': ["import '@rollcall/http-koa'"],
      'packages/cli/test/a.ts': ["import '@rollcall/proof-of-work'"],
      'packages/http-koa/src/b.ts': ["import '@rollcall/scim'"],
    },
    spares: {
      'packages/app/src/a.ts': ["import '@rollcall/cli'"],
      'packages/cli/src/a.ts': ["import '@rollcall/cli'"],
    },
  },
  {
    rule: 'core/src and core/memory import nothing outside core',
    bites: {
      'packages/core/src/a.ts': [
        "import 'node:crypto'",
        "import 'fs'",
        "import type Koa from 'koa'",
        "declare module 'koa' {}",
        '/// <reference types="node" />',
        "process.getBuiltinModule('node:fs')",
      ],
      'packages/core/memory/a.ts': ["import { vi } from 'vitest'", "import '../../../package.json'"],
    },
    spares: {
      'packages/core/src/a.test.ts': ["import 'node:crypto'\nimport 'vitest'"],
      'packages/core/test/a.ts': ["import 'node:fs'"],
      'packages/core/memory/a.ts': ["import '../src/index.ts'\nimport '@rollcall/core'"],
      'packages/mail/src/a.ts': ["import 'node:crypto'"],
    },
  },
  {
    rule: 'core/contract imports nothing but Vitest and core',
    bites: { 'packages/core/contract/a.ts': ["import 'node:fs'", "import 'autocannon'", "import '@rollcall/mail'"] },
    spares: {
      'packages/core/contract/a.ts': ["import { it } from 'vitest'\nimport '../src/index.ts'"],
      'packages/core/contract/a.test.ts': ["import 'node:fs'"],
    },
  },
  {
    rule: 'nothing that ships imports core/contract',
    bites: {
      'packages/mail/src/a.ts': ["import '@rollcall/core/contract'", "import('@rollcall/core/contract/mail.ts')"],
      'packages/core/memory/a.ts': ["export type * from '../contract/index.ts'"],
    },
    spares: {
      'packages/mail/test/a.ts': ["import '@rollcall/core/contract'"],
      'packages/core/contract/a.ts': ["import './b.ts'"],
    },
  },
  {
    rule: 'only the container and its tokens know inversify',
    bites: {
      'packages/app/src/main.ts': ["import type { Container } from 'inversify'", "import 'reflect-metadata'"],
      'packages/app/src/web.container.ts': ["import { ContainerModule } from 'inversify'"],
    },
    spares: {
      'packages/app/src/container.ts': ["import { Container } from 'inversify'"],
      'packages/app/src/tokens.ts': ["import type { ServiceIdentifier } from 'inversify'"],
    },
  },
  {
    rule: 'only config.ts reads process.env',
    bites: {
      'packages/mail/src/a.ts': [
        'const host = process.env.HOST',
        "globalThis.process['env'].HOST",
        "import { env } from 'node:process'",
        "import me from 'process'\nme.env",
        "import * as me from 'node:process'\nme.env",
        'const { env } = process',
        'const { argv, ...rest } = process',
        'const me = process\nme.env',
        "export { env } from 'node:process'",
      ],
      'packages/app/src/main.ts': ['process.env'],
    },
    spares: {
      'packages/app/src/config.ts': ['process.env'],
      'packages/mail/test/a.ts': ['process.env'],
      'packages/mail/src/a.ts': ['process.argv', 'config.env', "import { argv } from 'node:process'"],
    },
  },
  {
    rule: 'a package imports only what its own package.json declares',
    bites: {
      'packages/mail/src/a.ts': ["import 'koa'", "import '@scope/other'", "import 'vitest'", "import '#inside'"],
      'packages/cli/src/a.ts': [
        "import '../../core/src/index.ts'",
        "import '/etc/hosts'",
        "import '../../../package.json'",
      ],
      'packages/mail/src/a.test.ts': ["import 'koa'"],
      'packages/mail/build.ts': ["import 'koa'"],
    },
    spares: {
      'packages/mail/build.ts': ["import 'vitest'"],
      'packages/mail/src/a.ts': ["import '@scope/mustache/lib'\nimport 'node:fs'\nimport '../package.json'"],
      'packages/storage-sql/src/a.ts': ["import pg from 'pg'"],
      'packages/mail/src/a.test.ts': ["import 'vitest'"],
      'packages/core/contract/a.ts': ["import 'vitest'"],
    },
  },
  {
    rule: "core's package.json asks for nothing but, where there is one, Vitest",
    bites: {
      'packages/core/package.json': [
        '{"dependencies":{"koa":"1.0.0"}}',
        '{"dependencies":{"vitest":"1.0.0"}}',
        '{"peerDependencies":{"vitest":"1.0.0"}}',
        '{"peerDependencies":{"koa":"1.0.0"},"peerDependenciesMeta":{"koa":{"optional":true}}}',
      ],
    },
    spares: {
      'packages/core/package.json': [
        '{"dependencies":{},"devDependencies":{"vitest":"1.0.0"}}',
        '{"peerDependencies":{"vitest":"1.0.0"},"peerDependenciesMeta":{"vitest":{"optional":true}}}',
      ],
    },
  },
  {
    rule: 'no imports run in a circle',
    bites: {
      'packages/mail/src/a.ts': [
        "import { m } from './imports-a.ts'",
        "import type { M } from './imports-a.ts'",
        "export * from './imports-a.ts'",
        "await import('./imports-a.ts')",
        "import '../src/imports-imports-a.ts'",
        "import './a.ts'",
      ],
    },
    spares: {
      'packages/mail/src/a.ts': ["import './b.ts'\nimport './c.ts'"],
      'packages/mail/src/b.ts': ["import './imports-a.ts'\nimport './imports-imports-a.ts'"],
    },
  },
]

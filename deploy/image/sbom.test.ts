import { expect, it } from 'vitest'
import { sbomOf } from './sbom.ts'

const licensesOf = (license: string | undefined) => {
  const one = { name: 'one', version: '1.0.0', integrity: 'sha512-AAAA', license, path: 'node_modules/one' }
  const node = { ...one, version: process.versions.node, license: 'MIT', binary: new Uint8Array() }
  const base = { suite: 'bookworm', version: '12', packages: [] }
  const about = { architecture: 'amd64', version: '1.0.0', created: '2026-11-24T00:00:00Z' } as const
  const sbom = sbomOf({ ...about, digest: 'sha256:0', base, node, packages: [one] })
  const { components } = JSON.parse(JSON.stringify(sbom))
  return components.find(({ name, type }: { name: string; type: string }) => name === 'one' && type === 'library')
    .licenses
}

it.each([
  ['MIT', [{ license: { id: 'MIT' } }]],
  ['(MIT OR Apache-2.0)', [{ expression: 'MIT OR Apache-2.0' }]],
  ['UNLICENSED', [{ license: { name: 'UNLICENSED' } }]],
  ['SEE LICENSE IN LICENSE.md', [{ license: { name: 'SEE LICENSE IN LICENSE.md' } }]],
  [undefined, undefined],
])('has an id of SPDX only where there is one: %s', (license, expected) => {
  expect(licensesOf(license)).toEqual(expected)
})

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { notesOf, withRelease } from '../scripts/release/changelog.ts'

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n### New\n\n- One $& thing.\n\n## 0.1.0\n\nThe first.\n'

describe('the changelog of a release', () => {
  it('has what was unreleased under the version and the day', () => {
    const changelog = withRelease(CHANGELOG, '0.2.0', '2026-11-23')
    expect(changelog).toBe(CHANGELOG.replace('## Unreleased\n', () => '## Unreleased\n\n## 0.2.0 (2026-11-23)\n'))
    expect(notesOf(changelog, '0.2.0')).toBe('### New\n\n- One $& thing.')
    expect(notesOf(changelog, '0.1.0')).toBe('The first.')
  })

  it('is refused if nothing has changed', () => {
    const released = withRelease(CHANGELOG, '0.2.0', '2026-11-23')
    expect(() => withRelease(released, '0.3.0', '2026-11-24')).toThrow(/nothing under "## Unreleased"/)
  })

  it('has no notes of a version that it does not name', () => {
    expect(() => notesOf(CHANGELOG, '0.1')).toThrow(/nothing about 0\.1\./)
  })
})

it('has a section for what is unreleased, and one for the version of the packages', () => {
  const root = path.join(import.meta.dirname, '..')
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  expect(changelog).toMatch(/^## Unreleased$/m)
  expect(notesOf(changelog, version)).not.toBe('')
})

it('names no npm script in the guide and the workflow of a release that does not exist', () => {
  const root = path.join(import.meta.dirname, '..')
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  for (const file of ['docs/releasing.md', '.github/workflows/release.yml']) {
    const named = [...readFileSync(path.join(root, file), 'utf8').matchAll(/npm run (?:--silent )?([\w:]+)/g)]
    expect(named.length).toBeGreaterThan(2)
    for (const [, name = ''] of named) expect(Object.keys(scripts)).toContain(name)
  }
})

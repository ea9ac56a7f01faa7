import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { blocksOf, read } from '../../packages/app/test/documentation/blocks.ts'

it('brings the alerts that are tested', () => {
  expect(read('deploy/helm/rollcall/alerts.yaml')).toBe(read('deploy/monitoring/alerts.yaml'))
})

interface Job {
  readonly needs?: string | readonly string[]
  readonly steps: readonly { readonly run?: string }[]
}

it('is checked by Helm before it is released, by hand and by the workflow', () => {
  const jobs: Readonly<Record<string, Job>> = parse(read('.github/workflows/release.yml')).jobs
  const before = [jobs.publish?.needs ?? []].flat().flatMap((name) => jobs[name]?.steps.map(({ run }) => run) ?? [])
  expect(before).toContain('npm run check:chart')
  const commands = blocksOf('docs/releasing.md').flatMap(({ code }) => code.trimEnd().split('\n'))
  const checked = commands.indexOf('npm run check:chart')
  expect(checked).toBeGreaterThanOrEqual(0)
  expect(checked).toBeLessThan(commands.indexOf('npm run release -- minor'))
})

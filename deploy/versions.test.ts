import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { SETTINGS } from '../packages/app/src/settings.ts'

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, '..', file), 'utf8')
const { version } = JSON.parse(read('package.json'))

it('has the chart at the version of the packages', () => {
  expect(parse(read('deploy/helm/rollcall/Chart.yaml'))).toMatchObject({ version, appVersion: version })
})

it.each(['deploy/compose/compose.yaml', 'deploy/compose/compose.postgres.yaml', 'docs/guides/containers.md'])(
  'names the image at the version of the packages: %s',
  (file) => {
    const named = [...read(file).matchAll(/\brollcall:(\d[\w.-]*)/g)].map(([, one]) => one)
    expect([...new Set(named)]).toEqual([version])
  },
)

it('lets the chart take every setting that is a secret from a Secret, and from nowhere else', () => {
  const { properties } = JSON.parse(read('deploy/helm/rollcall/values.schema.json'))
  const secrets = Object.keys(SETTINGS.entries).filter((name) => /SECRET|KEYS$|(?:SMTP|DATABASE)_URL/.test(name))
  expect(secrets.toSorted()).toEqual(properties.secretKeys.items.enum)
  expect(properties.settings.propertyNames.not.enum).toEqual(expect.arrayContaining(secrets))
})

import { expect, it } from 'vitest'
import { stagesOf } from './containerfile.ts'

it('reads the stages of a Containerfile', () => {
  const text = `FROM node:24 AS sdk
WORKDIR /opt
RUN npm install one@1 two@2

FROM registry.example.com/rollcall:0.1.0
COPY --from=sdk /opt/node_modules /opt/node_modules
COPY --chmod=0644 a.mjs /opt/a.mjs
ENV ONE=--import=/opt/a.mjs TWO=2
`
  const nothing = { workingFolder: '/', commands: [], copies: [], environment: {} }
  expect(stagesOf(text)).toEqual([
    { ...nothing, base: 'node:24', name: 'sdk', workingFolder: '/opt', commands: ['npm install one@1 two@2'] },
    {
      ...nothing,
      base: 'registry.example.com/rollcall:0.1.0',
      name: undefined,
      copies: [
        { stage: 'sdk', mode: undefined, source: '/opt/node_modules', destination: '/opt/node_modules' },
        { stage: undefined, mode: '0644', source: 'a.mjs', destination: '/opt/a.mjs' },
      ],
      environment: { ONE: '--import=/opt/a.mjs', TWO: '2' },
    },
  ])
})

it.each([
  'USER 0',
  'ADD a.mjs /opt/a.mjs',
  'RUN rm -r /',
  'RUN npm install one@1 && rm -r /',
  'RUN npm install $(ls)',
  'COPY --chown=65532 a.mjs /opt/a.mjs',
  'COPY a.mjs b.mjs /opt/',
  'ENV NAME value',
  'from node:24',
  '# escape=`',
])('refuses what it does not understand: %s', (line) => {
  expect(() => stagesOf(`FROM node:24 AS sdk\n${line}\n`)).toThrow(line)
})

it('refuses what has no beginning', () => {
  expect(() => stagesOf('WORKDIR /opt\n')).toThrow('begins with FROM')
})

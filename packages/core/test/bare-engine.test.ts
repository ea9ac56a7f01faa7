import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'

// What a host without any library of its own would run: nothing but the language.
const SCRIPT = `
import * as core from '../src/index.ts'
import { openMemoryService } from '../memory/index.ts'

const source = { via: 'library', clientAddress: undefined, userAgent: undefined }

export const run = async () => {
  const { useCases, transport } = openMemoryService()
  const admin = { id: 'root', roles: ['admin'], roleSource: 'token', channel: 'library' }
  await useCases.putUser.execute({ userId: 'ada', email: 'ada@bücher.example', name: 'Ada', roles: [] }, admin)
  const answer = await useCases.subscribe.execute({ email: 'ada@BÜCHER.example', name: '👩🏽‍🚀', source })
  await useCases.deliverOutbox.execute({ limit: 10 })
  const token = transport.mails[0].links.confirm.split('/').at(-1)
  const { subscription } = await useCases.confirmSubscription.execute({ token, source })
  const report = await useCases.deleteUser.execute({ userId: 'ada', subscriptions: 'erase' }, admin)
  const again = await useCases.getUser.execute({ userId: 'ada' }, admin).catch((error) => error)
  return JSON.stringify({
    answer: { name: answer.name, email: answer.email, id: answer.id, feed: answer.feed },
    status: subscription.status,
    report,
    again: [again.name, again instanceof core.UserDeleted],
    mails: transport.mails.length,
  })
}
`
// Node gives these to every context; the language does not.
const NOT_OF_THE_LANGUAGE = ['console', 'Intl', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'escape', 'unescape']

describe('the core and its memory, bundled into one script', () => {
  let bundle: Awaited<ReturnType<typeof bundled>>
  const bundled = () =>
    build({
      stdin: { contents: SCRIPT, resolveDir: import.meta.dirname, loader: 'ts' },
      bundle: true,
      write: false,
      metafile: true,
      platform: 'neutral',
      format: 'iife',
      globalName: 'core',
      target: 'es2024',
      logLevel: 'silent',
    })
  beforeAll(async () => {
    bundle = await bundled()
  })

  it('is made of nothing but files of the core', () => {
    expect(bundle.warnings).toEqual([])
    expect(Object.values(bundle.metafile.outputs).flatMap(({ imports }) => imports)).toEqual([])
    const foreign = Object.keys(bundle.metafile.inputs).filter(
      (path) => !/(^|\/)core\/(src|memory)\/|^(src|memory)\/|stdin/.test(path),
    )
    expect(foreign).toEqual([])
  })

  it('subscribes, confirms and deletes where there is nothing but ECMAScript', async () => {
    const context = createContext({})
    runInContext(NOT_OF_THE_LANGUAGE.map((name) => `delete globalThis.${name};`).join(''), context)
    const globals: string[] = runInContext('Object.getOwnPropertyNames(globalThis)', context)
    for (const name of ['console', 'process', 'setTimeout', 'TextEncoder', 'crypto', 'URL', 'Buffer', 'Intl'])
      expect(globals).not.toContain(name)
    runInContext(bundle.outputFiles[0]?.text ?? '', context)
    const result = JSON.parse(await runInContext('core.run()', context))
    expect(result).toEqual({
      answer: { name: '👩🏽‍🚀', email: 'ada@BÜCHER.example', id: result.answer.id, feed: 'default' },
      status: 'confirmed',
      report: { userId: 'ada', subscriptionsErased: 1, subscriptionsKept: 0 },
      again: ['UserDeleted', true],
      mails: 0,
    })
  })
})

import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { Home } from './running-service.ts'

it('prints the form of this service, with the challenge where one is required', async () => {
  await using home = await Home.make({ PUBLIC_URL: 'https://news.example.com' })
  await home.run('migrate')
  const { code, stdout } = await home.run('feed', 'embed', 'default')
  expect([code, stdout]).toEqual([0, expect.stringContaining('action="https://news.example.com/subscribe"')])
  expect(stdout).not.toContain('<script')
  const challenged = await home.runWith({ CHALLENGE: 'altcha' }, 'feed', 'embed', 'default')
  expect(challenged.stdout).toContain('<script src="https://news.example.com/challenge.js" defer>')
})

it('is in a language that there are texts in, and refuses every other with those that there are', async () => {
  await using home = await Home.make()
  await home.run('migrate')
  const inLanguage = (language: string) => home.run('feed', 'embed', 'default', '--language', language)
  for (const [language, found] of [
    ['de', 'de'],
    ['fr-CH', 'fr'],
    ['', 'en'],
  ] as const)
    expect((await inLanguage(language)).stdout).toContain(` lang="${found}"`)
  for (const language of ['xyz…', 'de…', 'de_DE', ' ', '-', 'de-', `de-${'x'.repeat(100)}`, '<b>']) {
    const { code, stdout, stderr } = await inLanguage(language)
    expect([language, code, stdout]).toEqual([language, 2, ''])
    expect(stderr).toMatch(
      /^error: --language: this is not a language tag, .* The form has texts in de, en, es, fr\.\n$/,
    )
  }
  await mkdir(path.join(home.folder, 'data/pages'), { mode: 0o700 })
  await writeFile(path.join(home.folder, 'data/pages/pt-BR.json'), '{"signUp":{"submit":"Assinar"}}', { mode: 0o600 })
  expect((await inLanguage('pt-BR')).stdout).toContain('Assinar')
  expect(await inLanguage('ja')).toMatchObject({
    code: 2,
    stderr: 'error: --language: there are no texts in ja. The form has texts in de, en, es, fr, pt-BR.\n',
  })
})

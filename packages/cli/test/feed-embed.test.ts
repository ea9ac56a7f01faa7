import type { EmbeddingOptions } from '@rollcall/cli'
import { expect, it } from 'vitest'
import { OPERATOR, openTestCli } from './terminal.ts'

const open = async () => {
  const asked: (readonly [string, EmbeddingOptions])[] = []
  const cli = openTestCli({
    embeddedForm: async ({ name }, options) => {
      asked.push([name, options])
      return '<form>\u202e</form>\n'
    },
  })
  const fields = { name: 'news', returnUrls: ['https://a.example/'] }
  await cli.useCases.putFeed.execute(fields, OPERATOR)
  return { ...cli, asked }
}

it('prints the form as it is, and harmless to a terminal', async () => {
  const { run, asked } = await open()
  expect(await run(['feed', 'embed', 'news'])).toEqual({ exitCode: 0, stdout: '<form>\u202e</form>\n', stderr: '' })
  expect((await run(['feed', 'embed', 'news'], { answers: [] })).stdout).toBe('<form>\\u202e</form>\n')
  const options = ['--language', 'fr', '--return-to', 'https://a.example/', '--no-style', '--json']
  expect(JSON.parse((await run(['feed', 'embed', 'news', ...options])).stdout)).toMatchObject({ feed: 'news' })
  expect(asked.at(0)).toEqual(['news', { style: true }])
  expect(asked.at(-1)).toEqual(['news', { language: 'fr', returnTo: 'https://a.example/', style: false }])
})

it('says that a closed feed refuses it, and refuses a URL that the feed does not list', async () => {
  const { run, asked } = await open()
  const other = await run(['feed', 'embed', 'news', '--return-to', 'https://b.example/'])
  expect(other).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('--return-url') })
  expect((await run(['feed', 'embed', 'news', '--return-to', ''])).stderr).toContain("does not list ''.")
  expect((await run(['feed', 'embed', 'nowhere'])).exitCode).toBe(3)
  expect(asked).toEqual([])
  await run(['feed', 'put', 'news', '--closed'])
  expect(await run(['feed', 'embed', 'news'])).toMatchObject({
    exitCode: 0,
    stderr: 'The feed news is closed: the form is refused.\n',
  })
})

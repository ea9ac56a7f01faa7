import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PagesNotUsable, readPages } from '../src/index.ts'
import { SHIPPED_LANGUAGES, type Texts } from '../src/pages/language.ts'
import { STYLE } from '../src/pages/style-sheet.ts'
import { openServer } from './support/open-server.ts'

describe('a folder of pages', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-pages-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const write = (name: string, content: unknown) =>
    writeFile(path.join(folder, name), typeof content === 'object' ? JSON.stringify(content) : String(content))
  const texts = (language: string) => readPages(folder).languages.get(language) as Texts | undefined
  const refusal = (): Error => {
    try {
      readPages(folder)
    } catch (error) {
      expect(error).toBeInstanceOf(PagesNotUsable)
      return error as Error
    }
    throw new Error('nothing was refused')
  }

  it('changes nothing if it is empty, and ignores other files', async () => {
    await write('README.md', 'Ours.')
    await write('.nl.json', '{')
    await write('nl.json~', '{')
    await mkdir(path.join(folder, 'nl'))
    expect(readPages(folder).languages).toEqual(SHIPPED_LANGUAGES)
  })

  it('adds a language, with English for missing texts', async () => {
    await write('nl.json', `\uFEFF${JSON.stringify({ language: 'nl', signUp: { submit: 'Aanmelden' } })}`)
    expect(texts('nl')).toMatchObject({
      language: 'nl',
      signUp: { submit: 'Aanmelden', title: 'Subscribe to {feed}' },
      error: { title: 'That did not work' },
    })
  })

  it('replaces only the given texts of an existing language', async () => {
    await write('de.json', { pending: { title: 'Post ist unterwegs' } })
    expect(texts('de')?.pending).toEqual({ ...SHIPPED_LANGUAGES.get('de')!.pending, title: 'Post ist unterwegs' })
    expect(texts('de')?.confirm).toEqual(SHIPPED_LANGUAGES.get('de')!.confirm)
  })

  it('lets a country fall back on its language, in any order of files', async () => {
    await write('de-AT.json', { signUp: { name: 'Namen' } })
    await write('de.json', { signUp: { submit: 'Los' } })
    expect(texts('de-at')?.signUp).toMatchObject({ name: 'Namen', submit: 'Los', email: 'E-Mail-Adresse' })
    expect(texts('de-at')?.language).toBe('de-AT')
  })

  it('is used for clients that ask for it', async () => {
    await write('pt-BR.json', { signUp: { submit: 'Assinar' } })
    await write('he.json', {})
    const server = await openServer({ pages: readPages(folder) })
    const opening = async (accepted: string) =>
      /<html [^>]*>/.exec(
        (await server.request('GET', '/subscribe', { headers: { 'Accept-Language': accepted } })).body,
      )?.[0]
    expect(await opening('pt-BR, en;q=0.5')).toBe('<html lang="pt-BR" dir="ltr">')
    expect(await opening('pt, fr;q=0.5')).toBe('<html lang="fr" dir="ltr">')
    expect(await opening('he-IL')).toBe('<html lang="he" dir="rtl">')
    expect(await opening(`${'x-'.repeat(400)}, de`)).toBe('<html lang="de" dir="ltr">')
    // No more than the first KiB is read.
    expect(await opening(`${'x-'.repeat(7_000)}, de`)).toBe('<html lang="en" dir="ltr">')
  })

  it.each([
    ['{', 'not JSON'],
    ['\n{\n"signUp":\n}', 'not JSON'],
    ['', 'not JSON'],
    ['[]', 'it must be an object'],
    ['null', 'it must be an object'],
    [{ signup: {} }, "'signup' is not known. Use one of language, signUp,"],
    [{ signUp: { sumbit: 'x' } }, "'signUp.sumbit' is not known"],
    ['{"__proto__": {}}', "'__proto__' is not known"],
    [{ toString: 'x' }, "'toString' is not known"],
    [{ signUp: 'x' }, "'signUp' must be an object"],
    [{ signUp: { submit: 1 } }, "'signUp.submit' must be a text"],
    [{ signUp: { submit: ' ' } }, "'signUp.submit' must be a text"],
    [{ signUp: { problem: { email: null } } }, "'signUp.problem.email' must be a text"],
    [{ signUp: { title: 'To {fed}' } }, "'signUp.title' has no value for {fed}. Use {feed}."],
    [{ signUp: { submit: 'To {feed}' } }, "'signUp.submit' has no value for {feed}. Use none."],
  ])('is refused with file and key in one line: %j', async (content, problem) => {
    await write('nl.json', content)
    const { message } = refusal()
    expect(message).toContain(path.join(folder, 'nl.json'))
    expect(message).toContain(problem)
    expect(message).not.toContain('\n')
  })

  it.each(['dutch_nl.json', 'n.json', 'nl-.json', 'toolonglanguage.json'])(
    'refuses %s, which is not a language',
    async (name) => {
      await write(name, {})
      expect(refusal().message).toContain(`${path.join(folder, name)} must be a language tag`)
    },
  )

  it('refuses binary and unreadable files', async () => {
    await writeFile(path.join(folder, 'nl.json'), Buffer.from([0x7b, 0xff, 0x7d]))
    expect(refusal().message).toMatch(/nl\.json cannot be read\..*UTF-8/)
    await rm(path.join(folder, 'nl.json'))
    await mkdir(path.join(folder, 'theme.css'))
    expect(refusal().message).toMatch(/theme\.css cannot be read/)
    expect(() => readPages(path.join(folder, 'nowhere'))).toThrow(PagesNotUsable)
  })

  it.each([
    ['a { } </STYLE', "must not contain '</style'"],
    ['/* </style> */', "must not contain '</style'"],
    ['a { color: red } \0', 'null character'],
    ['x'.repeat(64 * 1024 + 1), '64 KiB'],
    ['ü'.repeat(32 * 1024 + 1), '64 KiB'],
    ['@import "other.css";', 'data: URL'],
    ['a { background: url(https://example.com/x.png) }', 'data: URL'],
    ['a { background: URL( "logo.png" ) }', 'data: URL'],
  ])('refuses a theme that cannot be part of a page: %.40s', async (css, problem) => {
    await write('theme.css', css)
    const { message } = refusal()
    expect(message).toContain(path.join(folder, 'theme.css'))
    expect(message).toContain(problem)
  })

  it.each([
    'a { background: url(data:image/png;base64,AA==) }',
    'a { background: url( "data:image/png;base64,AA==" ) }',
    "a { fill: url('#paint') }",
    'x'.repeat(64 * 1024),
    '/* <b> & "quotes" */ a::after { content: "\\201c" }',
  ])('accepts a theme unchanged: %.40s', async (css) => {
    await write('theme.css', css)
    expect(readPages(folder).style.elements.text).toContain(`<style>${css}</style>`)
  })

  it('accepts the example of the guide, which names every property that a theme may set', async () => {
    const file = path.resolve(import.meta.dirname, '../../../docs/guides/pages-and-languages.md')
    const manual = await readFile(file, 'utf8')
    const example = (language: string) => new RegExp(`\`\`\`${language}[^\\n]*\\n([^\`]*)\`\`\``).exec(manual)![1]!
    await write('nl.json', example('json'))
    await write('theme.css', example('css'))
    expect(texts('nl')?.pending.title).toBe('Kijk in uw mailbox')
    const [root = ''] = STYLE.match(/:root \{[^}]*\}/) ?? []
    const named = new Set([...manual.matchAll(/`(--[a-z-]+)`/g)].map(([, name]) => name))
    expect([...named].sort()).toEqual([...root.matchAll(/(--[a-z-]+):/g)].map(([, name]) => name).sort())
  })
})

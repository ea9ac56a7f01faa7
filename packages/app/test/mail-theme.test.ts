import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { mailThemeOf } from '../src/mail-theme.ts'
import { eventually } from './eventually.ts'
import { Home } from './running-service.ts'

const GUIDE = path.join(import.meta.dirname, '../../../docs/guides/pages-and-languages.md')

it('reads the colours of a theme for light and for dark, and nothing else', () => {
  const css = `/* :root { --accent: #000000 } */
:root { --accent: #7A1F5C; --text:#123 ; --ground: rgb(1, 2, 3); --card-radius: 0; --line: red; color: #fff }
@media (max-width: 9rem) { :root { --quiet: #111111 } }
@media ( prefers-color-scheme:dark ) { a { color: red } :root { --accent: #f0a8d6 } }
main::before { content: url('data:image/svg+xml,%3Csvg%3E') }
:root { --on-accent: #fefefe; --surface: #12345 }`
  expect(mailThemeOf(css)).toEqual({
    light: { accent: '#7a1f5c', text: '#112233', onAccent: '#fefefe' },
    dark: { accent: '#f0a8d6' },
  })
  expect(mailThemeOf('')).toEqual({ light: {}, dark: {} })
})

it('takes no time to speak of, whatever is in it', () => {
  for (const part of ['@media (prefers-color-scheme: dark) {', ':root {', '/*', '@a{', '{{{'])
    expect(mailThemeOf(part.repeat(64_000 / part.length))).toEqual({ light: {}, dark: {} })
})

it('reads the theme of the guide', async () => {
  const [, css = ''] = /```css[^\n]*\n([^`]*)```/.exec(await readFile(GUIDE, 'utf8')) ?? []
  expect(mailThemeOf(css)).toEqual({ light: { accent: '#7a1f5c' }, dark: { accent: '#f0a8d6', onAccent: '#2b0a20' } })
})

it('gives mails the colours of the pages', async () => {
  await using home = await Home.make()
  await mkdir(path.join(home.folder, 'data/pages'), { recursive: true, mode: 0o700 })
  await writeFile(path.join(home.folder, 'data/pages/theme.css'), ':root { --accent: #7a1f5c; --on-accent: #fefefe }')
  await home.serveInProcess()
  await home.signUp('ada@example.com')
  const show = () => home.run('mail', 'show', '--last', '--json')
  await eventually(async () => (await show()).code === 0, 'that the mail is written')
  const { html } = JSON.parse((await show()).stdout)
  expect(html).toContain('background-color:#7a1f5c;')
  expect(html).toContain('color:#fefefe;')
  expect(html).not.toContain('#1a56b0')
  expect(html).toContain('.link { color: #8ab4f8 !important; }')
})

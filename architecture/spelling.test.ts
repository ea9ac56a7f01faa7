import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import dictionary from 'dictionary-en-gb'
import nspell from 'nspell'
import { expect, it } from 'vitest'

const ROOT = path.join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')
/** Words of this project and its field, one a line; they hold as they are written here. */
const OWN = read('architecture/words.txt').trimEnd().split('\n')

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    // What the site is built of besides has the comments of the code.
    .filter((name) => name.endsWith('.md') && !name.startsWith(path.join('reference', 'typescript')))
    .map((name) => path.join('docs', name)),
  ...readdirSync(path.join(ROOT, 'packages')).map((name) => `packages/${name}/README.md`),
]

/** What is read as English: neither code, nor where a link leads. */
const proseOf = (markdown: string): string =>
  markdown
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/<!--[\s\S]*?-->|&\w+;/g, ' ')
    .replaceAll(/`[^`\n]*`/g, ' ')
    .replaceAll(/\]\([^)]*\)/g, '] ')
    // Paths, names of files, addresses, and what begins with a number.
    .replaceAll(/[^\s[\]()]*(?:\w[/.@]\w|\d)[^\s[\]()]*/g, ' ')

/** Without abbreviations and names from programs, such as `HTTP` and `UserForm`. */
const wordsIn = (text: string): string[] =>
  [...text.matchAll(/\p{L}[\p{L}\p{M}'’]*/gu)]
    .map(([word]) => word.replace(/['’]s?$/, '').replace('’', "'"))
    .filter((word) => word.length > 1 && !/^\p{Lu}+s?$|\p{Ll}\p{Lu}/u.test(word))

const speller = nspell(dictionary)
const own = new Set(OWN)
const words = new Map(pages.map((page) => [page, new Set(wordsIn(proseOf(read(page))))]))
const isKnown = (word: string): boolean => own.has(word) || own.has(word.toLowerCase()) || speller.correct(word)

// A word that is right and not known belongs into architecture/words.txt.
it.each(pages)('has no misspelt word: %s', (page) => {
  expect([...(words.get(page) ?? [])].filter((word) => !isKnown(word))).toEqual([])
})

it('finds a misspelt word in a sentence, and none in code', () => {
  const found = wordsIn(proseOf('The `recieve` option.\n\n```sh\nrecieve\n```\n\nYou [recieve](recieve.md) it.'))
  expect(found.filter((word) => !isKnown(word))).toEqual(['recieve'])
})

it('keeps its own words in order, and none that no page uses or the dictionary has', () => {
  const used = new Set([...words.values()].flatMap((set) => [...set].flatMap((word) => [word, word.toLowerCase()])))
  expect(OWN).toEqual([...new Set(OWN)].sort((one, other) => one.localeCompare(other, 'en')))
  expect(OWN.filter((word) => !used.has(word) || speller.correct(word))).toEqual([])
})

import { type EmbeddingOptions, usageError } from '@rollcall/cli'
import { asLocale, type Feed, languageRanges } from '@rollcall/core'
import { embeddedForm, pageLanguages } from '@rollcall/http-koa'
import type { Config } from './config.ts'
import { databaseOf } from './database.ts'
import { openPages } from './pages.ts'
import { asTheService } from './service-settings.ts'

/**
 * The sign-up form of a feed of this service, for another site.
 * @throws {CliError} there are no texts in the language
 * @throws {PagesNotUsable} a file in the deployer's folder of pages cannot be used
 */
export const formOf = (config: Config, feed: Feed, options: EmbeddingOptions): string => {
  const { publicUrl, CHALLENGE } = config
  const pages = openPages(config)
  if (options.language) requireTexts(options.language, pageLanguages(pages))
  return embeddedForm(feed, { ...options, publicUrl, challenge: CHALLENGE === 'altcha', pages })
}

/** The same for a command, whose environment may be another than that of the service. */
export const formOfService = async (config: Config, feed: Feed, options: EmbeddingOptions): Promise<string> => {
  const database = await databaseOf(config).examine()
  return formOf(await asTheService(config, database).finally(() => database.close()), feed, options)
}

const requireTexts = (language: string, languages: readonly string[]): void => {
  const isTag = asLocale(language) === language
  const ranges = isTag ? languageRanges(language) : []
  if (languages.some((each) => ranges.includes(each.toLowerCase()))) return
  const problem = isTag ? `there are no texts in ${language}` : 'this is not a language tag, such as en or pt-BR'
  throw usageError(`--language: ${problem}. The form has texts in ${languages.join(', ')}.`)
}

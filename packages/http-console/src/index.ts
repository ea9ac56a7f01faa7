export { createConsoleApp, createConsoleServer } from './app.ts'
export type { ConsoleLog, ConsoleOptions, ConsoleTracing, MailPreview, Previews } from './console-options.ts'
export { ProviderLogin, type ProviderLoginOptions } from './login/provider-login.ts'
export { readTexts, SHIPPED_TEXTS, type Texts, TextsNotUsable } from './texts.ts'

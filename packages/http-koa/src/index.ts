export { createApp, createRouter } from './app.ts'
export type {
  HttpLog,
  HttpObserver,
  HttpOptions,
  HttpUseCases,
  LimitedAction,
  RateLimiter,
  RateLimitState,
} from './http-options.ts'
export { createInProcessFetch, type InProcessFetch } from './in-process-fetch.ts'
export type { MountedAnswer, MountedInterface, MountedRequest } from './mounted-interface.ts'
export { type EmbeddedFormOptions, embeddedForm, pageLanguages } from './pages/embedded-form.ts'
export { createPagePreviews } from './pages/page-previews.ts'
export type { Pages } from './pages/pages.ts'
export { PagesNotUsable, readPages } from './pages/read-pages.ts'
export { openApiDocument } from './resources/all.ts'
export { announceDeparture, createHttpServer, drain } from './server/create-http-server.ts'

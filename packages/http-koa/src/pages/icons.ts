import { Html } from './html.ts'

export type IconName = 'mail' | 'done' | 'alert'

const icon = (name: IconName, strokes: string): Html =>
  new Html(
    `<svg class="mark ${name}" viewBox="0 0 24 24" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${strokes}</g></svg>`,
  )

/** Decorative icons above the heading; they carry no information of their own. */
export const ICONS: Readonly<Record<IconName, Html>> = {
  mail: icon('mail', '<rect x="2.5" y="5" width="19" height="14" rx="2"/><path d="m3 7 9 6.5L21 7"/>'),
  done: icon('done', '<circle cx="12" cy="12" r="9.5"/><path d="m7.5 12.5 3 3 6-6.5"/>'),
  alert: icon('alert', '<circle cx="12" cy="12" r="9.5"/><path d="M12 7v6M12 16.5v.01"/>'),
}

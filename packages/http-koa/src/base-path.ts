/** What the world has in front of this service's paths: empty, or a path without a slash at the end. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '')

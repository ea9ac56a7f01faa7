export { recordFormats } from './record-formats.ts'

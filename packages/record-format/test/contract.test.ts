import { recordFormatsContract } from '@rollcall/core/contract'
import { recordFormats } from '@rollcall/record-format'

recordFormatsContract(recordFormats)

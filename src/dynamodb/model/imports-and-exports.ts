import {
  IMPORT_TOKEN_CHARACTERS_MAX,
  IMPORT_TOKEN_CHARACTERS_MIN,
  LIST_EXPORTS,
  LIST_IMPORTS,
  TABLE_NAME_OR_ARN_CHARACTERS,
} from '../limits.js'
import { max, min } from './constraints.js'
import { integer, structure, text } from './shapes.js'

const tableArn = text(min(1), max(TABLE_NAME_OR_ARN_CHARACTERS))

export const listExports = structure('ListExportsInput', {
  TableArn: tableArn,
  MaxResults: integer(min(1), max(LIST_EXPORTS)),
  NextToken: text(),
})
export const listImports = structure('ListImportsInput', {
  TableArn: tableArn,
  PageSize: integer(min(1), max(LIST_IMPORTS)),
  NextToken: text(min(IMPORT_TOKEN_CHARACTERS_MIN), max(IMPORT_TOKEN_CHARACTERS_MAX)),
})

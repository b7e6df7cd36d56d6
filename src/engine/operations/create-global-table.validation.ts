import { Path } from '../../dynamodb/model/path.js'
import { missingText, violationsMessage } from '../../dynamodb/model/wording.js'
import type { CreateGlobalTableRequest } from '../../dynamodb/operations/global-tables.js'
import { invalidParameter } from '../errors.js'

export function validateCreateGlobalTable({ ReplicationGroup }: CreateGlobalTableRequest): void {
  if (ReplicationGroup.length === 0) throw invalidParameter('Global table must have atleast one replica')
  // The model lets it be missing; the service asks for it all the same, in the model's words within others.
  const replicas = Path.root.member('ReplicationGroup')
  const nameless = ReplicationGroup.flatMap(({ RegionName }, index) =>
    RegionName === undefined ? [missingText(replicas.element(index).member('RegionName'))] : [],
  )
  if (nameless.length > 0) throw invalidParameter(violationsMessage(nameless))
}

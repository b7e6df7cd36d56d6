import { GLOBAL_INDEXES, REPLICA_SETTINGS, SCALING_POLICY_NAME_CHARACTERS, SCALING_ROLE_CHARACTERS } from '../limits.js'
import { max, min, pattern } from './constraints.js'
import { NAME_RULES } from './members.js'
import {
  booleanShape,
  doubleShape,
  integerShape,
  listShape,
  longShape,
  requiredShape,
  structureShape,
  textShape,
} from './shapes.js'
import { billingMode, tableClass } from './tables.js'

const name = requiredShape(textShape(...NAME_RULES))
const units = longShape(min(1))

/** Java counts a surrogate pair in the pattern as one character; JavaScript does so only with the `u` flag. */
const ROLE_PATTERN = String.raw`[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\r\n\t]*`

/** The autoscaling settings of a table or an index, for reads or for writes. */
export const scaling = structureShape('AutoScalingSettingsUpdate', {
  MinimumUnits: units,
  MaximumUnits: units,
  AutoScalingDisabled: booleanShape,
  AutoScalingRoleArn: textShape(
    min(1),
    max(SCALING_ROLE_CHARACTERS),
    pattern(ROLE_PATTERN, new RegExp(`^${ROLE_PATTERN}$`, 'u')),
  ),
  ScalingPolicyUpdate: structureShape('AutoScalingPolicyUpdate', {
    PolicyName: textShape(min(1), max(SCALING_POLICY_NAME_CHARACTERS), pattern(String.raw`\p{Print}+`, /^[ -~]+$/)),
    TargetTrackingScalingPolicyConfiguration: requiredShape(
      structureShape('AutoScalingTargetTrackingScalingPolicyConfigurationUpdate', {
        DisableScaleIn: booleanShape,
        ScaleInCooldown: integerShape(),
        ScaleOutCooldown: integerShape(),
        TargetValue: requiredShape(doubleShape),
      }),
    ),
  }),
})

export const describeGlobalTableSettings = structureShape('DescribeGlobalTableSettingsInput', { GlobalTableName: name })
export const updateGlobalTableSettings = structureShape('UpdateGlobalTableSettingsInput', {
  GlobalTableName: name,
  GlobalTableBillingMode: billingMode,
  GlobalTableProvisionedWriteCapacityUnits: units,
  GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate: scaling,
  GlobalTableGlobalSecondaryIndexSettingsUpdate: listShape(
    structureShape('GlobalTableGlobalSecondaryIndexSettingsUpdate', {
      IndexName: name,
      ProvisionedWriteCapacityUnits: units,
      ProvisionedWriteCapacityAutoScalingSettingsUpdate: scaling,
    }),
    min(1),
    max(GLOBAL_INDEXES),
  ),
  ReplicaSettingsUpdate: listShape(
    structureShape('ReplicaSettingsUpdate', {
      RegionName: requiredShape(textShape()),
      ReplicaProvisionedReadCapacityUnits: units,
      ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate: scaling,
      ReplicaGlobalSecondaryIndexSettingsUpdate: listShape(
        structureShape('ReplicaGlobalSecondaryIndexSettingsUpdate', {
          IndexName: name,
          ProvisionedReadCapacityUnits: units,
          ProvisionedReadCapacityAutoScalingSettingsUpdate: scaling,
        }),
        min(1),
        max(GLOBAL_INDEXES),
      ),
      ReplicaTableClass: tableClass,
    }),
    min(1),
    max(REPLICA_SETTINGS),
  ),
})

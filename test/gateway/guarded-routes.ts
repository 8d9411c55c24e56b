/**
 * Routes that change power, ownership, network, secrets or storage of a gateway, written by hand and reviewed as a whole: with
 * LOCAL_API=guarded each needs the local token. All others only read, or change nothing permanent.
 */
export const guardedRoutes: readonly string[] = [
  'POST /api/control/{sn}/init',
  'POST /api/control/{sn}/battery',
  'POST /api/control/{sn}/confirm',
  'POST /api/control/{sn}/curtail',
  'POST /api/control/{sn}/curtail/disable',
  'POST /api/control/{sn}/deinit',
  'POST /api/plan',
  'POST /api/devices/{sn}/registers/{address}',
  'POST /api/devices/{sn}/registers',
  'POST /api/devices/{sn}/write',
  'POST /api/modbus/read',

  'POST /api/crypto',
  'POST /api/crypto/sign',

  'POST /api/wifi',
  'DELETE /api/wifi',
  'POST /api/ble/stop',
  'POST /api/network/port-check',
  'POST /api/system/mqtt',
  'DELETE /api/system/mqtt',
  'POST /api/system/management',

  'GET /api/logs',
  'POST /api/system/log_stream',

  'POST /api/devices',
  'POST /api/devices/detect',
  'POST /api/devices/{sn}/types',
  'POST /api/devices/{sn}/ders',
  'DELETE /api/devices/{sn}',
  'DELETE /api/devices',
  'POST /api/system/reboot',
  'POST /api/system/factory-reset',
];

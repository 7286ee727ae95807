// SPDX-License-Identifier: Apache-2.0
// The task of a test, which node-cron runs in a process of its own.
export const task = () => 'done';

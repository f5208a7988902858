#!/usr/bin/env node
(await import('node:module')).default.enableCompileCache?.();
await import('../dist/main.js');

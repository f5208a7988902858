#!/usr/bin/env node
'use strict';
require('node:module').enableCompileCache?.();
require('../dist/main.cjs');

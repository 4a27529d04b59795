// Every scene of the lab, in the order of the page. What a scene is made of:
//
//   id, title, hint    its address (#id), its button, and the line under it
//   story, lesson      what happens, and what to take home
//   script             what the server does (www/server/README.md)
//   call               the code a user would write. The page shows its body and runs it: the two cannot differ.
//                      Keep its first line whole; `source.js` reads the imports off it.
//   outcome            what must be true afterwards; `checks.js` holds it against the server's log. Where `call` makes
//                      several calls, `stop` is of the first, and of all of them unless `others` names theirs
//   compare            the outcome of the same lines with the usual retry helper, or stream reader, in the place of ours
//   lastsMs            about how long it takes: the first width of the time axis
//   scale              1 : scale in time; left out where the scene runs in real time
//   elsewhere          the back end is on another origin
//   cancellable        the Cancel button is there while it runs
//   streams            the body is part of the timeline

import { slowFailure, fastFailure, statedWait, hiddenWait } from './ai_failures.js';
import { cutAnswer, modelDown } from './ai_answers.js';
import { oneKey, deadline, stream } from './ai_time.js';
import { backEndDown, tenWebParts } from './one_page.js';
import { throttledRead, longWait, cancel, login, throttlePage, rateLimit } from './sharepoint_reads.js';
import { throttledWrite, lostAnswer, verifiedWrite } from './sharepoint_writes.js';

export const GROUPS = [
  {
    title: 'SharePoint',
    call: 'spFetch',
    scenes: [throttledWrite, lostAnswer, verifiedWrite, throttledRead, longWait, cancel, login, throttlePage, rateLimit],
  },
  {
    title: 'AI back end',
    call: 'aiFetch',
    scenes: [slowFailure, fastFailure, statedWait, hiddenWait, oneKey, deadline, stream],
  },
  {
    title: 'AI answers',
    call: 'streamAi, askAi',
    scenes: [cutAnswer, modelDown],
  },
  {
    title: 'One page',
    call: 'many calls',
    scenes: [tenWebParts, backEndDown],
  },
];

export const SCENES = GROUPS.flatMap((group) => group.scenes);

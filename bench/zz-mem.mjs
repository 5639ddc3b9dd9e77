import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
const B="./";
const imp=(m)=>import(B+m+'.mjs');
const {Load}=await imp('load'); const {measure,Measurement}=await imp('measure'); const {Postgres,settle}=await imp('postgres');
const {atEnd,endAll,memoryOf}=await imp('processes'); const {written}=await imp('requests'); const {setScene}=await imp('scene');
const {startService}=await imp('service'); const {workloadsOf}=await imp('workloads');
const dist=process.env.DIST??'/work/main/dist';
const seconds=Number(process.env.SECONDS??4);
const nodeArgs=(process.env.NODE_ARGS??'').split(' ').filter(Boolean);
try{
const folder=await mkdtemp(join(tmpdir(),'trivet-mem-'));
const postgres=await Postgres.start({dist,folder});
const options={entries:10000,connections:32,dist,only:process.env.ONLY?.split(',')};
const scene=await setScene({options,postgres,folder});
await scene.seed.entries(scene.type,0,10000);
await settle(scene.databaseUrl);
const service=await startService(scene.configuration,{nodeArgs});
const rollup=async()=>{const t=await readFile(`/proc/${service.pid}/status`,'utf8');return ['RssAnon','RssFile','VmHWM'].map(k=>k+' '+Math.round(Number(new RegExp(k+':\\s+(\\d+)').exec(t)[1])/1024)).join(' ')};
const metrics=async()=>{const t=await (await fetch(service.url+'/metrics')).text();const g=n=>Math.round(Number(new RegExp('^'+n+' (\\S+)','m').exec(t)?.[1])/2**20);return `heapUsed ${g('nodejs_heap_size_used_bytes')} heapTotal ${g('nodejs_heap_size_total_bytes')} external ${g('nodejs_external_memory_bytes')}`};
console.log('start',Math.round(await memoryOf(service.pid)),await rollup(),await metrics(), 'ready',service.seconds.toFixed(2));
const load=new Load();
for(const w of workloadsOf({entries:10000,path:scene.path,formPath:scene.formPath,entryId:n=>scene.seed.entryId(n)}).filter(w=>!options.only||options.only.includes(w.name))){
 const requests=w.questions().map(q=>written({...q,items:q.items??25},w.marker,service.port,service.headers));
 const into=new Measurement();
 if(w.name==='search') for(const r of requests) r.items=0, r.marker='\u0001\u0002none';
 await measure(load,{server:service,postgres,requests,connections:32,warmUp:500,milliseconds:seconds*1000,into});
 console.log(w.name.padEnd(8),Math.round(into.rate).toString().padStart(6),'rps cpu',Math.round(into.serverCpu/into.count),'pg',Math.round(into.postgresCpu/into.count),'rss',Math.round(await memoryOf(service.pid)),await rollup(),await metrics());
}
await new Promise(r=>setTimeout(r,Number(process.env.REST??3000)));
console.log('rest',Math.round(await memoryOf(service.pid)),await rollup(),await metrics());
if(process.env.SNAP){ process.kill(service.pid,'SIGUSR2'); await new Promise(r=>setTimeout(r,15000)); }
}catch(e){console.error(e.stack)}
await endAll(); process.exit(0);

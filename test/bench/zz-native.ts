import { rmSync, mkdirSync } from 'node:fs';
import { connectClickHouse } from '../../shared/clickhouse/client.js';
import { startEmbeddedClickHouse } from '../../shared/clickhouse/embedded/start-engine.js';
import { migrate } from '../../shared/clickhouse/migrate.js';
import { createLogger } from '../../shared/log.js';
import { requestColumns } from '../../services/enricher/sink/encode-rows.js';
import { cpuSecondsOfTree } from './process-memory.js';
const logger=createLogger('error','b');
rmSync('/dev/shm/native',{recursive:true,force:true}); mkdirSync('/dev/shm/native');
rmSync('/dev/shm/bulk',{recursive:true,force:true});
const cols=requestColumns.join(',');
const e=await startEmbeddedClickHouse({directory:'/tmp/pb/data/clickhouse',logger});
const c=connectClickHouse(e.url,{maxMemoryBytes:2e9});
for(let i=0;i<20;i++) for(const [f,x] of [['Native','n'],['TabSeparated','t'],['RowBinary','r']]) await c.command(`INSERT INTO FUNCTION file('/dev/shm/native/${i}.${x}','${f}') SELECT ${cols} FROM requests ORDER BY log_partition, log_offset, log_index LIMIT ${i*20000},20000`);
await c.close(); await e.stop();
const drops=process.argv[2]==='drop';
for(const [f,x] of [['TabSeparated','t'],['Native','n'],['RowBinary','r']]) {
 rmSync('/dev/shm/bulk',{recursive:true,force:true});
 const e=await startEmbeddedClickHouse({directory:'/dev/shm/bulk',logger});
 const c=connectClickHouse(e.url,{maxMemoryBytes:2e9});
 await migrate(c,{logger:createLogger('silent','b')});
 if(drops) { for (const v of (await c.read({name:'x',sql:"select name from system.tables where engine='MaterializedView' and database=currentDatabase()",params:{},row:(await import('zod')).z.object({name:(await import('zod')).z.string()})})) as any) await c.command('DROP TABLE '+v.name); }
 const structure=(await c.read({name:'x',sql:`select name, type from system.columns where table='requests' and database=currentDatabase()`,params:{},row:(await import('zod')).z.object({name:(await import('zod')).z.string(),type:(await import('zod')).z.string()})})) as any;
 const ty=Object.fromEntries(structure.map((s:any)=>[s.name,s.type]));
 const st=requestColumns.map(n=>n+' '+ty[n]).join(', ').replaceAll("'","\\'");
 const cpu0=[...cpuSecondsOfTree(e.pid()!)].reduce((s,[,v])=>s+v,0); const t0=performance.now(); let k=0;
 await Promise.all([0,1].map(async()=>{for(;;){const i=k++; if(i>=20)return; await c.command(`INSERT INTO requests (${cols}) SELECT * FROM file('/dev/shm/native/${i}.${x}','${f}','${st}')`);}}));
 const wall=(performance.now()-t0)/1000; const cpu=[...cpuSecondsOfTree(e.pid()!)].reduce((s,[,v])=>s+v,0)-cpu0;
 console.log(f,'wall',wall.toFixed(2),'cpu us/row',(cpu/400000*1e6).toFixed(1));
 await c.close(); await e.stop();
}
process.exit(0)

-- Shows the fields of Miura MPI frames and MagneSafe reports in Wireshark and tshark.
--
--   tshark -X lua_script:Captures/wireshark/cardrig.lua -r run.pcapng
--
-- MPI is found in the bytes of our recordings (exported PDU "data"), on TCP port 6543 and over
-- Bluetooth serial; MagneSafe reports in USB interrupt transfers of 856 or 887 bytes. Nothing here
-- decrypts anything.

local mpi = Proto("mpi", "Miura Payment Interface")
local f = mpi.fields
f.nad = ProtoField.uint8("mpi.nad", "Node (NAD)", base.HEX, { [1] = "reader", [2] = "printer" })
f.pcb = ProtoField.uint8("mpi.pcb", "Control (PCB)", base.HEX)
f.chained = ProtoField.bool("mpi.chained", "More frames follow", 8, nil, 0x01)
f.unsolicited = ProtoField.bool("mpi.unsolicited", "Unsolicited", 8, nil, 0x40)
f.len = ProtoField.uint8("mpi.len", "Length", base.DEC)
f.command = ProtoField.uint16("mpi.command", "Command (CLA INS)", base.HEX, {
    [0xD000] = "RESET DEVICE", [0xD001] = "GET CONFIGURATION", [0xD002] = "GET DEVICE INFO",
    [0xD010] = "SYSTEM CLOCK", [0xD060] = "CARD STATUS", [0xD061] = "KEYBOARD STATUS",
    [0xD062] = "BATTERY STATUS", [0xD063] = "PRINTER STATUS", [0xD0FF] = "ABORT",
    [0xD201] = "DISPLAY TEXT", [0xD204] = "GET NUMERIC DATA", [0xD206] = "GET MENU OPTION",
    [0xDEC1] = "START CONTACTLESS", [0xDED1] = "START TRANSACTION",
    [0xDED2] = "CONTINUE TRANSACTION", [0xDED6] = "ONLINE PIN", [0xEEE0] = "P2PE STATUS",
    [0x00A4] = "SELECT FILE", [0x00B0] = "READ BINARY", [0x00D6] = "UPDATE BINARY",
    [0x00D7] = "STREAM BINARY",
})
f.p1 = ProtoField.uint8("mpi.p1", "P1", base.HEX)
f.p2 = ProtoField.uint8("mpi.p2", "P2", base.HEX)
f.body = ProtoField.bytes("mpi.body", "Body")
f.sw = ProtoField.uint16("mpi.sw", "Status word", base.HEX)
f.tlv = ProtoField.bytes("mpi.tlv", "Object")
f.lrc = ProtoField.uint8("mpi.lrc", "LRC", base.HEX)
local wrong_lrc = ProtoExpert.new("mpi.lrc.wrong", "The LRC is wrong", expert.group.CHECKSUM,
    expert.severity.WARN)
mpi.experts = { wrong_lrc }

-- Where a frame ends that begins at an offset: nil when none does, 0 when bytes are missing.
local function frame_end(buffer, offset)
    local left = buffer:len() - offset
    local nad = buffer(offset, 1):uint()
    if nad ~= 1 and nad ~= 2 then return nil end
    if left < 3 then return 0 end
    local pcb = buffer(offset + 1, 1):uint()
    if bit.band(pcb, 0xBE) ~= 0 then return nil end
    local len = buffer(offset + 2, 1):uint()
    if len < 2 or len > 254 then return nil end
    if left < len + 4 then return 0 end
    return offset + len + 4
end

local function objects(buffer, from, to, tree, depth)
    while from < to do
        local start = from
        local first = buffer(from, 1):uint()
        from = from + 1
        if bit.band(first, 0x1F) == 0x1F then
            local more = true
            while more and from < to do
                more = bit.band(buffer(from, 1):uint(), 0x80) ~= 0
                from = from + 1
            end
        end
        if from >= to then return end
        local tag_end = from
        local len = buffer(from, 1):uint()
        from = from + 1
        if len >= 0x80 then
            local width = len - 0x80
            if width < 1 or width > 3 or from + width > to then return end
            len = buffer(from, width):uint()
            from = from + width
        end
        if from + len > to then return end
        local item = tree:add(f.tlv, buffer(start, from + len - start))
        item:set_text(string.format("Object %s, %d bytes",
            tostring(buffer(start, tag_end - start):bytes()), len))
        if bit.band(first, 0x20) ~= 0 and depth < 8 then
            objects(buffer, from, from + len, item, depth + 1)
        end
        from = from + len
    end
end

local function show_frame(buffer, from, to, tree)
    local branch = tree:add(mpi, buffer(from, to - from))
    local pcb = buffer(from + 1, 1)
    branch:add(f.nad, buffer(from, 1))
    local control = branch:add(f.pcb, pcb)
    control:add(f.chained, pcb)
    control:add(f.unsolicited, pcb)
    branch:add(f.len, buffer(from + 2, 1))
    local lrc = 0
    for index = from, to - 2 do lrc = bit.bxor(lrc, buffer(index, 1):uint()) end
    local body_end = to - 1
    local head = buffer(from + 3, 2):uint()
    local class = buffer(from + 3, 1):uint()
    local unsolicited = bit.band(pcb:uint(), 0x40) ~= 0
    local is_command = not unsolicited and body_end - from - 3 >= 4
        and (class == 0x00 or class == 0xD0 or class == 0xD2 or class == 0xDA or class == 0xDB
            or class == 0xDE or class == 0xEE)
    local text
    if is_command then
        branch:add(f.command, buffer(from + 3, 2))
        branch:add(f.p1, buffer(from + 5, 1))
        branch:add(f.p2, buffer(from + 6, 1))
        if body_end > from + 8 then
            branch:add(f.body, buffer(from + 7, body_end - from - 7))
            objects(buffer, from + 8, body_end, branch, 0)
        end
        text = string.format("command %04X", head)
    else
        if bit.band(pcb:uint(), 1) == 0 then
            branch:add(f.sw, buffer(body_end - 2, 2))
            text = string.format("%s %04X", unsolicited and "unsolicited" or "answer",
                buffer(body_end - 2, 2):uint())
        else
            text = "part of a chain"
        end
        if body_end - 2 > from + 3 then
            branch:add(f.body, buffer(from + 3, body_end - 2 - from - 3))
            objects(buffer, from + 3, body_end - 2, branch, 0)
        end
    end
    local check = branch:add(f.lrc, buffer(to - 1, 1))
    if lrc ~= buffer(to - 1, 1):uint() then check:add_proto_expert_info(wrong_lrc) end
    branch:append_text(", " .. text)
    return text
end

local function show_frames(buffer, pinfo, tree)
    local offset, texts = 0, {}
    while offset < buffer:len() do
        local to = frame_end(buffer, offset)
        if not to or to == 0 then break end
        table.insert(texts, show_frame(buffer, offset, to, tree))
        offset = to
    end
    if #texts == 0 then return 0 end
    pinfo.cols.protocol = "MPI"
    pinfo.cols.info = table.concat(texts, ", ")
    return offset
end

function mpi.dissector(buffer, pinfo, tree)
    local offset = 0
    while offset < buffer:len() do
        local to = frame_end(buffer, offset)
        if not to then break end
        if to == 0 then
            pinfo.desegment_offset = offset
            pinfo.desegment_len = DESEGMENT_ONE_MORE_SEGMENT
            break
        end
        offset = to
    end
    return show_frames(buffer, pinfo, tree)
end

DissectorTable.get("tcp.port"):add(6543, mpi)

local magnesafe = Proto("magnesafe", "MagTek MagneSafe report")
local m = magnesafe.fields
local layout = {
    { "decode1", "Decode status of track 1", 0, 1 }, { "decode2", "Decode status of track 2", 1, 1 },
    { "decode3", "Decode status of track 3", 2, 1 }, { "encodetype", "Card encode type", 6, 1 },
    { "track1", "Encrypted track 1", 7, 112 }, { "track2", "Encrypted track 2", 119, 112 },
    { "track3", "Encrypted track 3", 231, 112 }, { "cardstatus", "Card status", 343, 1 },
    { "printstatus", "MagnePrint status", 344, 4 }, { "serial", "Device serial number", 477, 16 },
    { "readerstatus", "Reader encryption status", 493, 2 }, { "ksn", "Key serial number", 495, 10 },
    { "masked1", "Masked track 1", 508, 112 }, { "masked2", "Masked track 2", 620, 112 },
    { "masked3", "Masked track 3", 732, 112 }, { "session", "Session id", 844, 8 },
    { "counter", "Encryption counter", 856, 3 }, { "version", "Format version", 859, 8 },
}
for _, row in ipairs(layout) do
    m[row[1]] = ProtoField.bytes("magnesafe." .. row[1], row[2])
end

local function show_report(buffer, pinfo, tree)
    local branch = tree:add(magnesafe, buffer())
    for _, row in ipairs(layout) do
        if row[3] + row[4] <= buffer:len() then branch:add(m[row[1]], buffer(row[3], row[4])) end
    end
    pinfo.cols.protocol = "MagneSafe"
end

function magnesafe.dissector(buffer, pinfo, tree)
    local length = buffer:len()
    if length ~= 856 and length ~= 887 then return 0 end
    show_report(buffer, pinfo, tree)
    return length
end

-- Our recordings hold pieces of streams as exported PDUs, and reports as usbmon records; both are
-- looked at once more when everything else was shown.
local pdu_data = Field.new("data.data")
local usb_data = Field.new("usb.capdata")
local after = Proto("cardrig", "CardRig")
function after.dissector(buffer, pinfo, tree)
    local data = pdu_data()
    if data then
        show_frames(data.range:tvb(), pinfo, tree)
        return
    end
    local report = usb_data()
    if report and (report.range:len() == 856 or report.range:len() == 887) then
        show_report(report.range:tvb(), pinfo, tree)
    end
end
register_postdissector(after)

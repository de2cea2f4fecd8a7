/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support.h"

#include "rdc/packet.h"

static void transports(void **state)
{
    (void)state;
    assert_null(rdc_transport_name(RDC_TRANSPORT_NONE));
    assert_string_equal(rdc_transport_name(RDC_TRANSPORT_IB), "ib");
    assert_string_equal(rdc_transport_name(RDC_TRANSPORT_ROCEV1), "rocev1");
    assert_string_equal(rdc_transport_name(RDC_TRANSPORT_ROCEV2), "rocev2");
    assert_string_equal(rdc_transport_name(RDC_TRANSPORT_MACCTRL), "macctrl");
    assert_null(rdc_transport_name(RDC_TRANSPORT_COUNT));
    assert_null(rdc_transport_name(255));
}

static void tunnels_and_refusals(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < RDC_TUNNEL_COUNT; i++)
        assert_non_null(rdc_tunnel_name(i));
    assert_string_equal(rdc_tunnel_name(RDC_TUNNEL_VXLAN), "vxlan");
    assert_null(rdc_tunnel_name(RDC_TUNNEL_COUNT));
    for (uint8_t i = 0; i < RDC_REFUSAL_COUNT; i++)
        assert_non_null(rdc_refusal_text(i));
    assert_null(rdc_refusal_text(RDC_REFUSAL_COUNT));
}

static void linktypes(void **state)
{
    static const struct {
        uint32_t linktype;
        const char *name;
    } known[] = {
        {0, "null"},    {1, "ethernet"},
        {12, "raw"},    {14, "raw"},
        {101, "raw"},   {108, "loop"},
        {113, "sll"},   {197, "erf"},
        {228, "ipv4"},  {229, "ipv6"},
        {242, "ipoib"}, {247, "infiniband"},
        {276, "sll2"},  {0x10019, "infiniband_link"},
    };

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(known); i++)
        assert_string_equal(rdc_linktype_name(known[i].linktype), known[i].name);
    assert_null(rdc_linktype_name(105));
    assert_null(rdc_linktype_name(UINT32_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transports),
        cmocka_unit_test(tunnels_and_refusals),
        cmocka_unit_test(linktypes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
